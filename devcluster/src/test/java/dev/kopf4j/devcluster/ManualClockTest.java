package dev.kopf4j.devcluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.conformance.InMemory;
import dev.kopf4j.devcluster.json.Json;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A cluster with its own thread, whose clock the test moves. */
class ManualClockTest {
    private static final Instant START = Instant.parse("2026-03-04T05:06:07Z");
    private static final Options OPTIONS = Options.defaults().manualClock(START);
    private static final String POD = "/api/v1/namespaces/default/pods/one";

    private static ApiResponse send(DevCluster cluster, String token, String method, String path, String body) {
        return cluster.handle(ApiRequest.of(
                method,
                path,
                Map.of("authorization", "Bearer " + token, "content-type", "application/yaml"),
                body.getBytes(StandardCharsets.UTF_8)));
    }

    private static JsonNode get(DevCluster cluster, String path) {
        return Json.parse(InMemory.text(send(cluster, cluster.token(), "GET", path, "")));
    }

    @Test
    void nothingBecomesDueUntilTheClockIsMoved() {
        try (DevCluster cluster = DevCluster.start(OPTIONS.workloads(Duration.ofHours(1)))) {
            cluster.apply("""
                    apiVersion: v1
                    kind: Pod
                    metadata: {name: one, namespace: default}
                    spec: {containers: [{name: main, image: x}]}
                    """);
            cluster.advance(Duration.ofMinutes(59));
            assertThat(Json.string(get(cluster, POD), "status", "phase")).isEqualTo("Pending");
            cluster.advance(Duration.ofHours(30));
            JsonNode pod = get(cluster, POD);
            assertThat(Json.string(pod, "metadata", "creationTimestamp")).isEqualTo(START.toString());
            assertThat(pod.at("/status/containerStatuses/0/state/running/startedAt")
                            .asString())
                    .isEqualTo(START.plus(Duration.ofHours(1)).toString());
        }
    }

    @Test
    void tokensExpireWhenTheirTimeHasCome() {
        try (DevCluster cluster = DevCluster.start(OPTIONS.authentication(true))) {
            cluster.advance(Duration.ZERO); // until the service account is there
            String path = "/api/v1/namespaces/default/serviceaccounts/default";
            ApiResponse made =
                    send(cluster, cluster.token(), "POST", path + "/token", "spec: {expirationSeconds: 600}");
            String token = Json.string(Json.parse(InMemory.text(made)), "status", "token");
            cluster.advance(Duration.ofSeconds(599));
            assertThat(send(cluster, token, "GET", path, "").status()).isEqualTo(200);
            cluster.advance(Duration.ofSeconds(2));
            assertThat(send(cluster, token, "GET", path, "").status()).isEqualTo(401);
        }
    }

    @Test
    void theClockOfTheSystemCannotBeMoved() {
        try (DevCluster cluster = DevCluster.start()) {
            assertThatThrownBy(() -> cluster.advance(Duration.ofSeconds(1)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("Options.manualClock");
        }
    }

    @Test
    void theClockCannotGoBack() {
        try (DevCluster cluster = DevCluster.start(OPTIONS)) {
            assertThatThrownBy(() -> cluster.advance(Duration.ofSeconds(-1)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("PT-1S");
        }
    }
}
