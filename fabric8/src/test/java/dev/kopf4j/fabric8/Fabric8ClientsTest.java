package dev.kopf4j.fabric8;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.net.httpserver.HttpServer;
import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.spi.CredentialRenewal;
import dev.kopf4j.spi.Integration;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.NamespacedKubernetesClient;
import io.fabric8.kubernetes.client.impl.BaseClient;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class Fabric8ClientsTest {
    private static final byte[] PODS =
            "{\"apiVersion\":\"v1\",\"kind\":\"PodList\",\"metadata\":{\"resourceVersion\":\"1\"},\"items\":[]}"
                    .getBytes(StandardCharsets.UTF_8);

    private final List<@Nullable String> credentials = new CopyOnWriteArrayList<>();
    private final List<String> paths = new CopyOnWriteArrayList<>();
    private volatile String rejecting = "";
    private HttpServer server;

    @TempDir
    private Path folder;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            credentials.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
            paths.add(exchange.getRequestURI().getPath());
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            if (String.valueOf(exchange.getRequestURI().getQuery()).contains("watch=true")) {
                exchange.sendResponseHeaders(200, 0); // a stream without events
                return;
            }
            boolean accepted = !rejecting.equals(exchange.getRequestHeaders().getFirst("Authorization"));
            exchange.sendResponseHeaders(accepted ? 200 : 401, accepted ? PODS.length : -1);
            if (accepted) {
                exchange.getResponseBody().write(PODS);
            }
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void sendsNoCredentialIfThereIsNone() {
        list(it -> it);
        assertThat(credentials).containsExactly("null");
    }

    /** An empty entry of exclusions would match every server, and a proxy without a port would be refused. */
    @Test
    @Tag("G09")
    void goesThroughTheProxyThatTheOperatorGoesThrough() {
        ConnectionInfo trusting =
                ConnectionInfo.builder("https://api.example.com").trustEnv(true).build();
        Config chosen = proxied(trusting, Map.of("HTTPS_PROXY", "http://proxy"));
        assertThat(chosen.getHttpsProxy()).isEqualTo("http://proxy:80");
        assertThat(chosen.getNoProxy()).isNullOrEmpty();
        assertThat(proxied(trusting, Map.of("https_proxy", "proxy:3128", "NO_PROXY", "localhost, .corp.com"))
                        .getHttpsProxy())
                .isEqualTo("http://proxy:3128");
        assertThat(proxied(trusting, Map.of("HTTPS_PROXY", "http://proxy", "NO_PROXY", "localhost, .example.com"))
                        .getHttpsProxy())
                .isNull();
        assertThat(proxied(
                                ConnectionInfo.builder("https://api.example.com")
                                        .build(),
                                Map.of("HTTPS_PROXY", "http://proxy"))
                        .getHttpsProxy())
                .isNull();
    }

    private static Config proxied(ConnectionInfo connection, Map<String, String> environment) {
        return Fabric8Clients.withProxy(new ConfigBuilder(Config.empty()), connection, environment)
                .build();
    }

    /** The port of the proxy is that of the test's server; the name of the other one does not exist. */
    @Test
    @Tag("G09")
    void sendsRequestsToTheProxy() {
        ConnectionInfo connection = ConnectionInfo.builder("http://api.invalid")
                .proxyUrl("http://127.0.0.1:" + server.getAddress().getPort())
                .build();
        try (KubernetesClient client =
                Fabric8Clients.open(connection, rejected -> rejected, (method, target, answer) -> {})) {
            client.pods().list();
        }
        assertThat(paths).containsExactly("/api/v1/namespaces/default/pods");
    }

    @Test
    void sendsTokens() {
        list(it -> it.token("abc"));
        list(it -> it.token("abc").scheme("Digest"));
        assertThat(credentials).containsExactly("Bearer abc", "Digest abc");
    }

    @Test
    void sendsUserAndPassword() {
        list(it -> it.username("u").password("p"));
        assertThat(credentials).containsExactly("Basic dTpw");
    }

    @Test
    void readsTheFileOfTheTokenAnew() throws IOException {
        Path file = folder.resolve("token");
        Files.writeString(file, "first\n");
        try (KubernetesClient client = open(it -> it.token("old").tokenPath(file.toString()))) {
            client.pods().list();
            Files.writeString(file, "second\n");
            client.pods().list();
            Files.delete(file);
            client.pods().list();
        }
        assertThat(credentials).containsExactly("Bearer first", "Bearer second", "Bearer old");
    }

    @Test
    @Tag("G09")
    void whatTheServerRejectsIsRenewedAndTheRequestSentAgain() {
        List<String> renewed = new CopyOnWriteArrayList<>();
        CredentialRenewal renewal = rejected -> {
            renewed.add(rejected.password() + " -> new");
            return rejected.toBuilder().password("new").build();
        };
        try (KubernetesClient client = open(it -> it.username("u").password("old"), renewal)) {
            client.pods().list();
            rejecting = basic("u", "old");
            client.pods().list();
            client.pods().list();
        }
        assertThat(credentials)
                .containsExactly(basic("u", "old"), basic("u", "old"), basic("u", "new"), basic("u", "new"));
        assertThat(renewed).containsExactly("old -> new");
    }

    @Test
    @Tag("G09")
    void aRequestIsNotSentAgainWithWhatWasRejected() {
        rejecting = "Bearer old";
        try (KubernetesClient client = open(it -> it.token("old"))) {
            assertThatExceptionOfType(KubernetesClientException.class)
                    .isThrownBy(() -> client.pods().list())
                    .withMessageContaining("Unauthorized");
        }
        try (KubernetesClient client = open(it -> it.token("old"), rejected -> {
            throw new IllegalStateException("no login gives valid credentials");
        })) {
            assertThatExceptionOfType(KubernetesClientException.class)
                    .isThrownBy(() -> client.pods().list())
                    .withMessageContaining("Unauthorized");
        }
        assertThat(credentials).containsExactly("Bearer old", "Bearer old");
    }

    private static String basic(String username, String password) {
        return "Basic "
                + Base64.getEncoder().encodeToString((username + ":" + password).getBytes(StandardCharsets.UTF_8));
    }

    /** All handlers share the client. */
    @Test
    void aClientThatAHandlerClosesGoesOnUntilTheOperatorEnds() {
        KubernetesClient client = open(it -> it);
        ExecutorService executor =
                (ExecutorService) client.adapt(BaseClient.class).getExecutor();
        SharedIndexInformer<Pod> informer = client.pods().inform();
        NamespacedKubernetesClient derived = client.adapt(NamespacedKubernetesClient.class);
        derived.inNamespace("other").close();
        derived.inNamespace("other").inAnyNamespace().close();
        client.close();
        assertThat(client.pods().list().getItems()).isEmpty();
        assertThat(executor.isShutdown()).isFalse();
        assertThat(informer.isRunning()).isTrue();

        new Fabric8Integration().close(client);
        assertThat(informer.isRunning()).isFalse();

        assertThatException().isThrownBy(() -> client.pods().list()).withStackTraceContaining("already closed");
        assertThat(executor.isShutdown()).isTrue();
    }

    @Test
    void usesTheConnectionsNamespace() {
        list(it -> it);
        list(it -> it.defaultNamespace("ns"));
        assertThat(paths).containsExactly("/api/v1/namespaces/default/pods", "/api/v1/namespaces/ns/pods");
    }

    private void list(UnaryOperator<ConnectionInfo.Builder> options) {
        try (KubernetesClient client = open(options)) {
            assertThat(client.pods().list().getItems()).isEmpty();
        }
    }

    private KubernetesClient open(UnaryOperator<ConnectionInfo.Builder> options) {
        return open(options, rejected -> rejected);
    }

    private KubernetesClient open(UnaryOperator<ConnectionInfo.Builder> options, CredentialRenewal renewal) {
        String address = "http://127.0.0.1:" + server.getAddress().getPort();
        return (KubernetesClient) new Fabric8Integration()
                .open(
                        KubernetesClient.class,
                        new Integration.Access(
                                options.apply(ConnectionInfo.builder(address)).build(),
                                renewal,
                                (method, target, answer) -> {}));
    }
}
