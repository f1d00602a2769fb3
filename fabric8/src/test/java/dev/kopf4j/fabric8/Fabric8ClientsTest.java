package dev.kopf4j.fabric8;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.kopf4j.ConnectionInfo;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class Fabric8ClientsTest {
    private static final byte[] PODS =
            "{\"apiVersion\":\"v1\",\"kind\":\"PodList\",\"items\":[]}".getBytes(StandardCharsets.UTF_8);

    private final List<@Nullable String> credentials = new CopyOnWriteArrayList<>();
    private final List<String> paths = new CopyOnWriteArrayList<>();
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
            exchange.sendResponseHeaders(200, PODS.length);
            exchange.getResponseBody().write(PODS);
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
        String address = "http://127.0.0.1:" + server.getAddress().getPort();
        return (KubernetesClient) new Fabric8Integration()
                .open(
                        KubernetesClient.class,
                        options.apply(ConnectionInfo.builder(address)).build());
    }
}
