package dev.kopf4j.fabric8;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.kopf4j.ConnectionInfo;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What fabric8 finds, as a credential. */
@Tag("G05")
class Fabric8LoginsTest {
    private static final List<String> PROPERTIES =
            List.of(Config.KUBERNETES_KUBECONFIG_FILE, Config.KUBERNETES_MASTER_SYSTEM_PROPERTY);

    @TempDir
    private Path folder;

    @BeforeEach
    @AfterEach
    void forget() {
        PROPERTIES.forEach(System::clearProperty);
    }

    private static ConnectionInfo of(UnaryOperator<ConfigBuilder> parts) {
        return Fabric8Logins.of(parts.apply(new ConfigBuilder(Config.empty()).withMasterUrl("https://k.example"))
                .build());
    }

    @Test
    void fabric8FindsTheKubeconfigThatItsPropertyNames() throws IOException {
        Path file = Files.writeString(folder.resolve("config"), """
                apiVersion: v1
                kind: Config
                current-context: c
                contexts: [{name: c, context: {cluster: k, user: me, namespace: mine}}]
                clusters: [{name: k, cluster: {server: "https://k.example:6443", certificate-authority-data: Y2E=}}]
                users: [{name: me, user: {token: secret}}]
                """);
        System.setProperty(Config.KUBERNETES_KUBECONFIG_FILE, file.toString());
        assertThat(Fabric8Logins.autoConfigured())
                .isEqualTo(ConnectionInfo.builder("https://k.example:6443")
                        .caData("Y2E=")
                        .token("secret")
                        .defaultNamespace("mine")
                        .build());
        System.setProperty(Config.KUBERNETES_MASTER_SYSTEM_PROPERTY, "https://other.example");
        assertThat(Fabric8Logins.autoConfigured().server()).isNotEqualTo("https://k.example:6443");
    }

    @Test
    void allPartsAreTakenOver() {
        assertThat(of(config -> config.withCaCertFile("/ca")
                        .withClientCertFile("/cert")
                        .withClientKeyFile("/key")
                        .withNamespace("ns")
                        .withTlsServerName("name")
                        .withHttpsProxy("http://proxy:1")))
                .isEqualTo(ConnectionInfo.builder("https://k.example")
                        .caPath("/ca")
                        .certificatePath("/cert")
                        .privateKeyPath("/key")
                        .defaultNamespace("ns")
                        .tlsServerName("name")
                        .proxyUrl("http://proxy:1")
                        .build());
        assertThat(of(config -> config.withCaCertFile("/ca")
                        .withCaCertData("ca")
                        .withClientCertFile("/cert")
                        .withClientCertData("cert")
                        .withClientKeyFile("/key")
                        .withClientKeyData("key")
                        .withUsername("u")
                        .withPassword("p")
                        .withTrustCerts(true)))
                .isEqualTo(ConnectionInfo.builder("https://k.example")
                        .caData("ca")
                        .certificateData("cert")
                        .privateKeyData("key")
                        .username("u")
                        .password("p")
                        .insecure(true)
                        .build());
    }

    @Test
    void tokensComeFromWhereFabric8TakesThemFrom() {
        assertThat(of(config -> config.withOauthToken("mine").withAutoOAuthToken("found"))
                        .token())
                .isEqualTo("mine");
        assertThat(of(config -> config.withAutoOAuthToken("found")).token()).isEqualTo("found");
        assertThat(of(config -> config.withOauthToken("mine").withOauthTokenProvider(() -> "provided"))
                        .token())
                .isEqualTo("provided");
    }

    @Test
    void serversThatAreReachedWithoutTheProxyAre() {
        assertThat(of(config -> config.withHttpsProxy("http://proxy:1").withNoProxy("example"))
                        .proxyUrl())
                .isNull();
        assertThat(of(config -> config.withHttpsProxy("http://proxy:1").withNoProxy("ample"))
                        .proxyUrl())
                .isEqualTo("http://proxy:1");
    }

    @Test
    void whatCannotBeTakenOverIsRefusedInsteadOfBeingForgotten() {
        List<UnaryOperator<ConfigBuilder>> odd = List.of(
                config -> config.withKeyStoreFile("/store"),
                config -> config.withTrustStoreFile("/store"),
                config -> config.withImpersonateUsername("other"),
                config -> config.withCustomHeaders(Map.of("X-Own", "1")));
        odd.forEach(each -> assertThatIllegalArgumentException()
                .isThrownBy(() -> of(each))
                .withMessageContaining("which kopf4j does not take over"));
    }
}
