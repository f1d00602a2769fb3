package dev.kopf4j.client.kubeconfig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.client.error.NoCredentialsException;
import dev.kopf4j.json.Json;
import dev.kopf4j.runtime.SystemPlatform;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
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
                .connection(null, new ExecPluginRunner(new SystemPlatform(), timeout, hasTerminal));
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
                .hasMessageNotContaining("secret");
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

    @Test
    void endsPluginsThatDoNotEnd() {
        assertThatThrownBy(() -> login("exec sleep 60", V1, Duration.ofMillis(200)))
                .isInstanceOf(NoCredentialsException.class)
                .hasMessageContaining("has not ended within 200ms");
    }
}
