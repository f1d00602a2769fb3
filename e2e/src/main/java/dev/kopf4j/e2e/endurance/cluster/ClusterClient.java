package dev.kopf4j.e2e.endurance.cluster;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

/**
 * The administrator's way to the cluster: not by the client of the operator, which is on trial. Nothing is tried again.
 * Thread-safe.
 */
public final class ClusterClient implements AutoCloseable {
    private static final int PATIENCE_SECONDS = 5;

    /**
     * What the server has answered.
     *
     * @param status the HTTP status
     * @param body the object, the list, or the failure; missing if it is no JSON
     */
    public record Answer(int status, JsonNode body) {
        public boolean isSuccess() {
            return status < 300;
        }
    }

    private final KubernetesClient client;
    private final HttpClient http;
    private final String url;

    private ClusterClient(KubernetesClient client) {
        this.client = client;
        this.http = client.getHttpClient();
        this.url = client.getMasterUrl().toString().replaceFirst("/$", "");
    }

    public static ClusterClient by(Path kubeconfig) {
        Config config = Config.fromKubeconfig(kubeconfig.toFile());
        // With the context goes the file: fabric8 would read it again, perhaps while somebody writes it.
        config.setCurrentContext(null);
        config.setRequestRetryBackoffLimit(0);
        config.setRequestTimeout(PATIENCE_SECONDS * 1000);
        config.setConnectionTimeout(PATIENCE_SECONDS * 1000);
        return new ClusterClient(
                new KubernetesClientBuilder().withConfig(config).build());
    }

    /** How it reaches the server. */
    public Config config() {
        return client.getConfiguration();
    }

    /**
     * Sends a request.
     *
     * @throws IOException if no answer came: what was asked for may have been done, or not
     */
    public Answer send(String method, String path, @Nullable String body) throws IOException {
        HttpRequest request = http.newHttpRequestBuilder()
                .uri(url + path)
                .method(method, type(method), body)
                .timeout(PATIENCE_SECONDS, TimeUnit.SECONDS)
                .build();
        HttpResponse<String> response = await(http.sendAsync(request, String.class));
        return new Answer(response.code(), tree(response.body()));
    }

    /** Paths that are not served are answered in plain text. */
    private static JsonNode tree(String text) {
        return text.startsWith("{") ? JsonMapper.shared().readTree(text) : MissingNode.getInstance();
    }

    private static String type(String method) {
        return method.equals("PATCH") ? "application/merge-patch+json" : "application/json";
    }

    /** The lines of a watch, until the server ends it. */
    public BufferedReader watch(String path) throws IOException {
        HttpRequest request =
                http.newHttpRequestBuilder().uri(url + path).forStreaming().build();
        HttpResponse<InputStream> response = await(http.sendAsync(request, InputStream.class));
        if (response.code() != 200) {
            throw new IOException("the watch was refused: " + response.code());
        }
        return new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
    }

    private static <T> T await(CompletableFuture<T> answer) throws IOException {
        try {
            return answer.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            answer.cancel(true);
            throw new IOException("no answer: " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
