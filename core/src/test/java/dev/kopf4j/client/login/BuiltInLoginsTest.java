package dev.kopf4j.client.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.client.error.NoCredentialsException;
import dev.kopf4j.client.kubeconfig.ExecPluginRunner;
import dev.kopf4j.client.login.BuiltInLogins.ServiceAccountLogin;
import dev.kopf4j.runtime.SystemPlatform;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BuiltInLoginsTest {
    private static final String CONFIG = """
            current-context: here
            contexts: [{name: here, context: {cluster: c}}]
            clusters: [{name: c, cluster: {server: 'https://SERVER.example.com'}}]
            """;

    @TempDir
    Path folder;

    private BuiltInLogins login(Map<String, String> environment) {
        return new BuiltInLogins(
                new ExecPluginRunner(new SystemPlatform()),
                environment,
                folder,
                new ServiceAccountLogin(folder.resolve("account")),
                null,
                new AtomicReference<>());
    }

    private Path config(String path, String server) throws IOException {
        Path file = folder.resolve(path);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, CONFIG.replace("SERVER", server));
    }

    private void account(String file, String text) throws IOException {
        Files.writeString(Files.createDirectories(folder.resolve("account")).resolve(file), text);
    }

    @Test
    @Tag("G14")
    void takesTheKubeconfigOfTheHomeFolder() throws Exception {
        config(".kube/config", "home");
        assertThat(login(Map.of()).retrieve())
                .containsOnlyKeys("login_with_kubeconfig")
                .extractingByKey("login_with_kubeconfig")
                .extracting(ConnectionInfo::server, ConnectionInfo::priority)
                .containsExactly("https://home.example.com", 10);
    }

    @Test
    @Tag("G14")
    void takesTheFilesOfTheVariableAndSkipsAbsentOnes() throws Exception {
        config(".kube/config", "home");
        config("b", "variable");
        String variable = folder.resolve("absent") + ":~/b:";
        assertThat(login(Map.of("KUBECONFIG", variable))
                        .kubeconfig()
                        .orElseThrow()
                        .server())
                .isEqualTo("https://variable.example.com");
    }

    @Test
    @Tag("G15")
    void takesTheServiceAccount() throws Exception {
        account("token", "secret\n");
        account("namespace", "mine");
        account("ca.crt", "pem");
        assertThat(login(Map.of()).retrieve())
                .containsOnlyKeys("login_with_service_account")
                .containsValue(ConnectionInfo.builder("https://kubernetes.default.svc")
                        .token("secret")
                        .tokenPath(folder.resolve("account/token").toString())
                        .caPath(folder.resolve("account/ca.crt").toString())
                        .defaultNamespace("mine")
                        .priority(20)
                        .build());
    }

    private static final String TWO_CLUSTERS = """
            current-context: CURRENT
            contexts: [{name: a, context: {cluster: a}}, {name: b, context: {cluster: b}}]
            clusters: [{name: a, cluster: {server: 'https://a'}}, {name: b, cluster: {server: 'https://b'}}]
            """;

    private Path choosing(String context) throws IOException {
        Path file = folder.resolve("config");
        return Files.writeString(file, TWO_CLUSTERS.replace("CURRENT", context));
    }

    private BuiltInLogins loginWith(Path kubeconfig, boolean given) {
        return given
                ? new BuiltInLogins(new SystemPlatform(), kubeconfig, new AtomicReference<>())
                : login(Map.of("KUBECONFIG", kubeconfig.toString()));
    }

    /** Whoever types {@code kubectl config use-context} means other programs. */
    @ParameterizedTest
    @Tag("G14")
    @ValueSource(booleans = {true, false})
    void laterLoginsTakeTheContextOfTheFirstOneAndNoOther(boolean given) throws Exception {
        BuiltInLogins login = loginWith(choosing("a"), given);
        assertThat(login.retrieve().values()).extracting(ConnectionInfo::server).containsExactly("https://a");
        choosing("b");
        assertThat(login.retrieve().values()).extracting(ConnectionInfo::server).containsExactly("https://a");
        assertThat(login.kubeconfig().orElseThrow().server())
                .as("for login handlers")
                .isEqualTo("https://a");
        config("config", "other");
        assertThatThrownBy(login::retrieve)
                .isInstanceOf(NoCredentialsException.class)
                .hasMessageContaining("the context 'a', with which the operator began, is gone from ")
                .hasMessageContaining("goes on with no other one");
        choosing("b");
        assertThat(login.retrieve().values()).extracting(ConnectionInfo::server).containsExactly("https://a");
    }

    /** Until a login has succeeded, another context may be what helps. */
    @Test
    @Tag("G14")
    void aFirstLoginThatFailsChoosesNoContext() throws Exception {
        BuiltInLogins login = loginWith(choosing("c"), true);
        assertThatThrownBy(login::retrieve).hasMessageContaining("there is no context 'c'");
        choosing("b");
        assertThat(login.retrieve().values()).extracting(ConnectionInfo::server).containsExactly("https://b");
    }

    private static Path certificate(String name) throws Exception {
        return Path.of(Optional.ofNullable(BuiltInLoginsTest.class.getResource("/tls/" + name))
                .orElseThrow()
                .toURI());
    }

    /** Such as one for a client of a handler. */
    @ParameterizedTest
    @Tag("G15")
    @CsvSource({"ca.crt, true", "elsewhere.crt, false", ", false"})
    void aKubeconfigBesideAServiceAccountIsUsedForTheSameCluster(@Nullable String authority, boolean used)
            throws Exception {
        account("token", "secret");
        account("ca.crt", Files.readString(certificate("ca.crt")));
        String field = authority == null ? "" : "certificate-authority: '" + certificate(authority) + "', ";
        Path file = config("config", "other");
        Files.writeString(file, Files.readString(file).replace("server:", field + "server:"));
        BuiltInLogins login = loginWith(file, false);
        String[] both = {"login_with_service_account", "login_with_kubeconfig"};
        assertThat(login.retrieve()).containsOnlyKeys(used ? both : new String[] {both[0]});
        Files.delete(folder.resolve("account/token"));
        if (used) {
            assertThat(login.retrieve()).containsOnlyKeys(both[1]);
        } else {
            assertThatThrownBy(login::retrieve)
                    .isInstanceOf(NoCredentialsException.class)
                    .hasMessageContaining(
                            "is gone, and the kubeconfig leads to another cluster, at https://other.exam");
        }
    }

    /** DNS may not answer in a pod: with the network of its node, or when the cluster's own servers are down. */
    @ParameterizedTest
    @Tag("G15")
    @CsvSource({
        "10.96.0.1, 443, , https://10.96.0.1:443",
        "10.96.0.1, , 6443, https://10.96.0.1:6443",
        "fd00::1, 443, 443, https://[fd00::1]:443",
        "api.example.com, 443, , https://api.example.com:443",
        "10.96.0.1, , , https://kubernetes.default.svc",
        ", 443, , https://kubernetes.default.svc"
    })
    void asksTheServerWhoseAddressThePodWasTold(
            @Nullable String host, @Nullable String port, @Nullable String secure, String server) throws Exception {
        account("token", "secret");
        Map<String, String> environment = new HashMap<>();
        environment.put("KUBERNETES_SERVICE_HOST", host == null ? "" : host);
        environment.put("KUBERNETES_SERVICE_PORT", port == null ? "" : port);
        environment.put("KUBERNETES_SERVICE_PORT_HTTPS", secure == null ? "" : secure);
        assertThat(login(environment).serviceAccount().orElseThrow().server()).isEqualTo(server);
    }

    @Test
    @Tag("G15")
    void brokenKubeconfigsDoNotMatterBesideAServiceAccount() throws Exception {
        account("token", "secret");
        Files.writeString(Files.createDirectories(folder.resolve(".kube")).resolve("config"), "[");
        assertThat(login(Map.of()).retrieve()).containsOnlyKeys("login_with_service_account");
    }

    @Test
    void tellsWhereItHasLooked() {
        assertThatThrownBy(() -> login(Map.of("KUBECONFIG", "/no/such/file")).retrieve())
                .isInstanceOf(NoCredentialsException.class)
                .hasMessageContaining("/no/such/file ($KUBECONFIG)")
                .hasMessageContaining(folder.resolve("account").toString());
        assertThatThrownBy(() -> login(Map.of()).retrieve())
                .hasMessageContaining(folder.resolve(".kube/config").toString());
    }

    @Test
    void tellsWhyTheOnlyWayFails() throws Exception {
        Files.writeString(Files.createDirectories(folder.resolve(".kube")).resolve("config"), "[");
        assertThatThrownBy(() -> login(Map.of()).retrieve()).hasMessageContaining("not valid YAML");
    }
}
