package dev.kopf4j.devcluster.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.DevCluster;
import dev.kopf4j.devcluster.Options;
import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.api.WebhookCaller;
import dev.kopf4j.devcluster.conformance.AdmissionAnswers;
import dev.kopf4j.devcluster.conformance.InMemory;
import dev.kopf4j.devcluster.json.Json;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** A webhook that does not answer, such as that of an operator at a breakpoint. */
@Timeout(60)
class HangingWebhookTest {
    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch over = new CountDownLatch(1);

    private int status(DevCluster cluster, String method, String path) {
        return cluster.handle(
                        ApiRequest.of(method, path, Map.of("authorization", "Bearer " + cluster.token()), new byte[0]))
                .status();
    }

    /** Until the time of the test is over. */
    private void await(DevCluster cluster, String path, int wanted) {
        while (status(cluster, "GET", path) != wanted && !Thread.currentThread().isInterrupted()) {
            Thread.onSpinWait();
        }
        assertThat(status(cluster, "GET", path)).isEqualTo(wanted);
    }

    private byte[] hang() throws IOException {
        asked.countDown();
        try {
            over.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw new IOException("context deadline exceeded");
    }

    @Test
    void holdsUpNoController() throws InterruptedException {
        WebhookCaller hanging = (url, authorities, body, timeout) -> hang();
        Options options = Options.defaults().webhookCaller(hanging);
        try (DevCluster cluster = DevCluster.start(options)) {
            cluster.apply("{apiVersion: v1, kind: Namespace, metadata: {name: full}}");
            cluster.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: full}}");
            cluster.apply(AdmissionAnswers.configuration("ValidatingWebhookConfiguration", "DELETE", "configmaps"));
            assertThat(status(cluster, "DELETE", "/api/v1/namespaces/full")).isEqualTo(200);
            asked.await();
            cluster.apply("{apiVersion: v1, kind: Namespace, metadata: {name: other}}");
            await(cluster, "/api/v1/namespaces/other/serviceaccounts/default", 200);
            assertThat(status(cluster, "GET", "/api/v1/namespaces/full/configmaps/a"))
                    .isEqualTo(200);
            over.countDown();
        }
    }

    @Test
    void ofThePodsOfAJobFindsTheFormerOneCountedForGood() {
        AdmissionAnswers answers = new AdmissionAnswers();
        AtomicInteger pods = new AtomicInteger();
        AtomicReference<String> former = new AtomicReference<>("");
        AtomicReference<DevCluster> started = new AtomicReference<>();
        WebhookCaller caller = (url, authorities, body, timeout) -> {
            if (pods.incrementAndGet() == 2) {
                former.set(InMemory.text(look(started.get(), "/api/v1/namespaces/default/pods")));
            }
            return answers.call(url, authorities, body, timeout);
        };
        Options options = Options.defaults()
                .webhookCaller(caller)
                .workloads(Duration.ofSeconds(1))
                .manualClock(Instant.EPOCH);
        try (DevCluster cluster = DevCluster.start(options)) {
            started.set(cluster);
            cluster.apply(AdmissionAnswers.configuration("ValidatingWebhookConfiguration", "CREATE", "pods"));
            cluster.apply("""
                    apiVersion: batch/v1
                    kind: Job
                    metadata: {name: two, namespace: default}
                    spec:
                      completions: 2
                      parallelism: 1
                      template: {spec: {restartPolicy: Never, containers: [{name: c, image: i}]}}
                    """);
            cluster.advance(Duration.ofMinutes(1));
            assertThat(pods).hasValue(2);
            JsonNode pod = Json.parse(former.get()).at("/items/0");
            assertThat(Json.string(pod, "status", "phase")).isEqualTo("Succeeded");
            assertThat(pod.at("/metadata/finalizers").isMissingNode()).isTrue();
        }
    }

    private static ApiResponse look(DevCluster cluster, String path) {
        return cluster.handle(
                ApiRequest.of("GET", path, Map.of("authorization", "Bearer " + cluster.token()), new byte[0]));
    }

    @Test
    void ofPodsHoldsUpNoControllerOfOtherObjects() throws InterruptedException {
        WebhookCaller hanging = (url, authorities, body, timeout) -> hang();
        Options options = Options.defaults().webhookCaller(hanging).workloads(Duration.ofSeconds(1));
        try (DevCluster cluster = DevCluster.start(options)) {
            cluster.apply(AdmissionAnswers.configuration("MutatingWebhookConfiguration", "CREATE", "pods"));
            cluster.apply("""
                    apiVersion: apps/v1
                    kind: Deployment
                    metadata: {name: d, namespace: default}
                    spec:
                      selector: {matchLabels: {a: b}}
                      template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: i}]}}
                    """);
            asked.await();
            cluster.apply("{apiVersion: v1, kind: Namespace, metadata: {name: other}}");
            await(cluster, "/api/v1/namespaces/other/serviceaccounts/default", 200);
            assertThat(status(cluster, "DELETE", "/api/v1/namespaces/other")).isEqualTo(200);
            await(cluster, "/api/v1/namespaces/other", 404);
            over.countDown();
        }
    }
}
