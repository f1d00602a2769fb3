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
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
                new ServiceAccountLogin(folder.resolve("account")));
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
