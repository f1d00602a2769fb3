package dev.kopf4j.client.kubeconfig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.client.error.NoCredentialsException;
import dev.kopf4j.engine.simulation.LoggerCapture;
import dev.kopf4j.json.Json;
import dev.kopf4j.runtime.SystemPlatform;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.assertj.core.util.Throwables;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("G14")
@Timeout(30)
class ExecPluginRunnerTest {
    private static final String TOKEN_OF_V1 =
            "{\"apiVersion\":\"client.authentication.k8s.io/v1\",\"kind\":\"ExecCredential\",\"status\":%s}";

    @TempDir
    Path folder;

    private final ByteArrayOutputStream terminal = new ByteArrayOutputStream();

    private ConnectionInfo login(String script, String exec) throws Exception {
        return login(script, exec, Duration.ofSeconds(20));
    }

    private ConnectionInfo login(String script, String exec, Duration timeout) throws Exception {
        return login(script, exec, timeout, false);
    }

    private ConnectionInfo login(String script, String exec, Duration timeout, boolean hasTerminal) throws Exception {
        Path plugin = Files.writeString(folder.resolve("plugin"), "#!/bin/sh\n" + script + "\n");
        assertThat(plugin.toFile().setExecutable(true)).isTrue();
        return Kubeconfig.read(List.of(config(exec)))
                .connection("here", new ExecPluginRunner(new SystemPlatform(), timeout, hasTerminal, terminal));
    }

    private Path config(String exec) throws IOException {
        return Files.writeString(folder.resolve("config"), """
                current-context: here
                contexts: [{name: here, context: {cluster: c, user: u}}]
                clusters: [{name: c, cluster: {server: 'https://example.com'}}]
                users: [{name: u, user: {exec: {%s}}}]
                """.formatted(exec));
    }

    private static String printing(String status) {
        return "echo '" + TOKEN_OF_V1.formatted(status) + "'";
    }

    private static final String V1 = "apiVersion: client.authentication.k8s.io/v1, command: ./plugin";

    @Test
    @Tag("G12")
    void takesTokenAndExpiration() throws Exception {
        ConnectionInfo info = login(printing("{\"token\":\"t\",\"expirationTimestamp\":\"2026-01-01T00:00:00Z\"}"), V1);
        assertThat(info.token()).isEqualTo("t");
        assertThat(info.expiration()).isEqualTo(Instant.parse("2026-01-01T00:00:00Z"));
    }

    @Test
    void takesCertificates() throws Exception {
        ConnectionInfo info = login(printing("{\"clientCertificateData\":\"c\",\"clientKeyData\":\"k\"}"), V1);
        assertThat(info.certificateData()).isEqualTo("c");
        assertThat(info.privateKeyData()).isEqualTo("k");
    }

    @Test
    void speaksTheBetaVersionToo() throws Exception {
        String beta = TOKEN_OF_V1.formatted("{\"token\":\"t\"}").replace("/v1\"", "/v1beta1\"");
        ConnectionInfo info =
                login("echo '" + beta + "'", "apiVersion: client.authentication.k8s.io/v1beta1, command: ./plugin");
        assertThat(info.token()).isEqualTo("t");
    }

    @Test
    void passesArgumentsEnvironmentAndRequest() throws Exception {
        String script = "echo \"$KUBERNETES_EXEC_INFO\" > " + folder + "/request\n"
                + "printf '{\"apiVersion\":\"client.authentication.k8s.io/v1\",\"status\":{\"token\":\"%s-%s\"}}' $1 $VAR";
        ConnectionInfo info = login(script, V1 + ", args: [x], env: [{name: VAR, value: y}], provideClusterInfo: true");
        assertThat(info.token()).isEqualTo("x-y");
        assertThat(Json.parse(Files.readAllBytes(folder.resolve("request"))))
                .isEqualTo(Json.parse("{\"kind\":\"ExecCredential\",\"apiVersion\":\"client.authentication.k8s.io/v1\","
                        + "\"spec\":{\"interactive\":false,\"cluster\":{\"server\":\"https://example.com\"}}}"));
    }

    /** Some cannot do without, such as those of Gardener. */
    @Test
    void passesTheAuthorityOfAFileAndWhatTheClusterHasForPlugins() throws Exception {
        Files.writeString(folder.resolve("ca.crt"), "an authority");
        Path plugin = Files.writeString(
                folder.resolve("plugin"),
                "#!/bin/sh\necho \"$KUBERNETES_EXEC_INFO\" > " + folder + "/request\n" + printing("{\"token\":\"t\"}"));
        assertThat(plugin.toFile().setExecutable(true)).isTrue();
        Path config = Files.writeString(folder.resolve("config"), """
                current-context: here
                contexts: [{name: here, context: {cluster: c, user: u}}]
                clusters:
                - name: c
                  cluster:
                    server: https://example.com
                    certificate-authority: ca.crt
                    extensions:
                    - {name: other, extension: {no: 1}}
                    - {name: client.authentication.k8s.io/exec, extension: {shoot: {name: s}, replicas: 2}}
                users: [{name: u, user: {exec: {%s, provideClusterInfo: true}}}]
                """.formatted(V1));
        var _ = Kubeconfig.read(List.of(config)).connection("here", new ExecPluginRunner(new SystemPlatform()));
        assertThat(Json.parse(Files.readAllBytes(folder.resolve("request"))).at("/spec/cluster"))
                .isEqualTo(
                        Json.parse(
                                "{\"certificate-authority-data\":\"YW4gYXV0aG9yaXR5\","
                                        + "\"server\":\"https://example.com\",\"config\":{\"shoot\":{\"name\":\"s\"},\"replicas\":2}}"));
    }

    @Test
    void thoseThatReadTheirInputDoNotWaitForPeopleWithoutATerminal() throws Exception {
        String script = "cat >/dev/null\n" + printing("{\"token\":\"t\"}");
        assertThat(login(script, V1).token()).isEqualTo("t");
        assertThat(login(script, V1 + ", interactiveMode: Never", Duration.ofSeconds(20), true)
                        .token())
                .isEqualTo("t");
    }

    @Test
    void thoseThatNeverAskPeopleAreToldSoInATerminalToo() throws Exception {
        String script = "echo \"$KUBERNETES_EXEC_INFO\" > " + folder + "/request\n" + printing("{\"token\":\"t\"}");
        Path request = folder.resolve("request");
        login(script, V1 + ", interactiveMode: Never", Duration.ofSeconds(20), true);
        assertThat(request).content().contains("\"interactive\":false");
        login(script, V1 + ", interactiveMode: IfAvailable", Duration.ofSeconds(20), true);
        assertThat(request).content().contains("\"interactive\":true");
        assertThatThrownBy(() -> login(script, V1 + ", interactiveMode: Always"))
                .isInstanceOf(NoCredentialsException.class)
                .hasMessageContaining("needs a terminal");
    }

    @Test
    void tellsWhatAFailedPluginSaid() {
        assertThatThrownBy(() -> login("echo 'no session, log in first' >&2; exit 3", V1))
                .isInstanceOf(NoCredentialsException.class)
                .hasMessageContaining("exit code 3: no session, log in first")
                .hasMessageContaining("'u'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"secret", "{}", "[]", ""})
    void neverShowsWhatIsPrintedInstead(String output) {
        assertThatThrownBy(() -> login("echo '" + output + "'", V1))
                .isInstanceOf(NoCredentialsException.class)
                .satisfies(failure ->
                        assertThat(Throwables.getStackTrace(failure)).doesNotContain("'secret'", ": secret"));
    }

    @Test
    void refusesEmptyCredentials() {
        assertThatThrownBy(() -> login(printing("{\"clientCertificateData\":\"c\"}"), V1))
                .hasMessageContaining("neither a token nor a certificate");
    }

    @Test
    void givesTheInstallHint() {
        assertThatThrownBy(() -> login(
                        "",
                        "apiVersion: client.authentication.k8s.io/v1,"
                                + " command: kopf4j-no-such-command, installHint: Install it."))
                .isInstanceOf(NoCredentialsException.class)
                .hasMessageContaining("cannot be started")
                .hasMessageContaining("Install it.");
    }

    @Test
    void refusesUnknownVersions() {
        assertThatThrownBy(() -> login("", "apiVersion: client.authentication.k8s.io/v1alpha1, command: x"))
                .isInstanceOf(NoCredentialsException.class)
                .hasMessageContaining("v1alpha1");
    }

    /** As a code that is to be entered on a page: too late when the plugin has ended. */
    @Test
    void showsAtOnceWhatThePluginAsks() {
        assertThatThrownBy(() ->
                        login("printf 'Enter the code ABC: ' >&2; exec sleep 60", V1, Duration.ofMillis(500), true))
                .hasMessageContaining("has not ended within 500ms: Enter the code ABC:");
        assertThat(terminal.toString(StandardCharsets.UTF_8)).isEqualTo("Enter the code ABC: ");
        try (LoggerCapture log = new LoggerCapture("kopf4j.activities.authentication")) {
            assertThatThrownBy(() -> login("echo 'Open the page.' >&2; exec sleep 60", V1, Duration.ofMillis(500)))
                    .hasMessageContaining("has not ended within 500ms: Open the page.");
            assertThat(log.lines(Level.INFO)).singleElement().asString().contains("'u': Open the page.");
        }
    }

    @Test
    void endsPluginsThatDoNotEnd() {
        assertThatThrownBy(() -> login("exec sleep 60", V1, Duration.ofMillis(200)))
                .isInstanceOf(NoCredentialsException.class)
                .hasMessageContaining("has not ended within 200ms");
    }
}
