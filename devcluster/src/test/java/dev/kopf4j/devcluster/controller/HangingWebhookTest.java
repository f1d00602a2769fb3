package dev.kopf4j.devcluster.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.DevCluster;
import dev.kopf4j.devcluster.Options;
import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.WebhookCaller;
import dev.kopf4j.devcluster.conformance.AdmissionAnswers;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

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
        Options options = Options.defaults().webhookCaller(hanging).manualClock(Instant.EPOCH);
        try (DevCluster cluster = DevCluster.start(options)) {
            cluster.apply("{apiVersion: v1, kind: Namespace, metadata: {name: full}}");
            cluster.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: full}}");
            cluster.apply(AdmissionAnswers.configuration("ValidatingWebhookConfiguration", "DELETE", "configmaps"));
            assertThat(status(cluster, "DELETE", "/api/v1/namespaces/full")).isEqualTo(200);
            asked.await();
            cluster.apply("{apiVersion: v1, kind: Namespace, metadata: {name: other}}");
            cluster.advance(Duration.ofSeconds(1));
            assertThat(status(cluster, "GET", "/api/v1/namespaces/other/serviceaccounts/default"))
                    .isEqualTo(200);
            assertThat(status(cluster, "GET", "/api/v1/namespaces/full/configmaps/a"))
                    .isEqualTo(200);
            over.countDown();
        }
    }

    @Test
    void ofPodsHoldsUpNoControllerOfOtherObjects() throws InterruptedException {
        WebhookCaller hanging = (url, authorities, body, timeout) -> hang();
        Options options = Options.defaults()
                .webhookCaller(hanging)
                .workloads(Duration.ofSeconds(1))
                .manualClock(Instant.EPOCH);
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
            cluster.advance(Duration.ofSeconds(1));
            assertThat(status(cluster, "GET", "/api/v1/namespaces/other/serviceaccounts/default"))
                    .isEqualTo(200);
            assertThat(status(cluster, "DELETE", "/api/v1/namespaces/other")).isEqualTo(200);
            cluster.advance(Duration.ofSeconds(1));
            assertThat(status(cluster, "GET", "/api/v1/namespaces/other")).isEqualTo(404);
            over.countDown();
        }
    }
}
