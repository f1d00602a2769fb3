package dev.kopf4j.devcluster.admission.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.ApiServer;
import dev.kopf4j.devcluster.Options;
import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.conformance.InMemory;
import dev.kopf4j.devcluster.conformance.SharedTasks;
import dev.kopf4j.devcluster.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Many requests that one quota counts. */
class QuotaContentionTest {
    private static final String BASE = "/api/v1/namespaces/default/";
    private static final int THREADS = 32;
    private static final int EACH = 40;
    private final ApiServer server = new ApiServer(Options.defaults(), new SharedTasks(), InMemory.TOKEN);

    private String send(String method, String path, String body) {
        String type = method.equals("PATCH") ? "application/merge-patch+json" : "application/yaml";
        return InMemory.text(server.handle(ApiRequest.of(
                method,
                BASE + path,
                Map.of("authorization", "Bearer " + InMemory.TOKEN, "content-type", type),
                body.getBytes(StandardCharsets.UTF_8))));
    }

    @Test
    void everyObjectIsCounted() {
        send("POST", "resourcequotas", "{metadata: {name: q}, spec: {hard: {count/configmaps: '1000'}}}");
        send(
                "PATCH",
                "resourcequotas/q/status",
                "{\"status\":{\"hard\":{\"count/configmaps\":\"1000\"},\"used\":{\"count/configmaps\":\"0\"}}}");
        try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            List<CompletableFuture<Void>> done = IntStream.range(0, THREADS)
                    .mapToObj(thread -> CompletableFuture.runAsync(() -> create(thread), threads))
                    .toList();
            done.forEach(CompletableFuture::join);
        }
        int made = Json.parse(send("GET", "configmaps", "")).path("items").size();
        assertThat(made).isEqualTo(1000);
        assertThat(Json.parse(send("GET", "resourcequotas/q", ""))
                        .at("/status/used/count~1configmaps")
                        .asString())
                .isEqualTo("1k");
    }

    @Test
    void whatIsRefusedForItsNameIsNotCounted() {
        send("POST", "resourcequotas", "{metadata: {name: q}, spec: {hard: {count/configmaps: '1000'}}}");
        send(
                "PATCH",
                "resourcequotas/q/status",
                "{\"status\":{\"hard\":{\"count/configmaps\":\"1000\"},\"used\":{\"count/configmaps\":\"0\"}}}");
        try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            List<CompletableFuture<Void>> done = IntStream.range(0, THREADS)
                    .mapToObj(thread -> CompletableFuture.runAsync(() -> create(0), threads))
                    .toList();
            done.forEach(CompletableFuture::join);
        }
        assertThat(Json.parse(send("GET", "resourcequotas/q", ""))
                        .at("/status/used/count~1configmaps")
                        .asString())
                .isEqualTo(Integer.toString(EACH));
    }

    private void create(int thread) {
        for (int count = 0; count < EACH; count++) {
            send("POST", "configmaps", "metadata: {name: map-" + thread + "-" + count + "}");
        }
    }
}
