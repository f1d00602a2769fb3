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
    void theClockWaitsForWebhooksThatAreAskedAboutWhatControllersDo() {
        Options asking = OPTIONS.workloads(Duration.ofSeconds(1)).webhookCaller((_, _, review, _) -> allowed(review));
        try (DevCluster cluster = DevCluster.start(asking)) {
            cluster.apply("""
                    apiVersion: admissionregistration.k8s.io/v1
                    kind: ValidatingWebhookConfiguration
                    metadata: {name: asked}
                    webhooks:
                    - name: asked.example.com
                      clientConfig: {url: "https://127.0.0.1:1/x"}
                      rules:
                      - {operations: [CREATE], apiGroups: [batch, ""], apiVersions: [v1], resources: [jobs, pods]}
                      sideEffects: None
                      admissionReviewVersions: [v1]
                    """);
            cluster.apply("""
                    apiVersion: batch/v1
                    kind: CronJob
                    metadata: {name: minutely, namespace: default}
                    spec:
                      schedule: "* * * * *"
                      successfulJobsHistoryLimit: 100
                      jobTemplate:
                        spec: {template: {spec: {restartPolicy: Never, containers: [{name: main, image: x}]}}}
                    """);
            cluster.advance(Duration.ofMinutes(10));
            JsonNode jobs =
                    get(cluster, "/apis/batch/v1/namespaces/default/jobs").path("items");
            assertThat(jobs.valueStream()
                            .map(job -> job.at("/status/completionTime").asString("")))
                    .hasSize(10)
                    .first()
                    .isEqualTo("2026-03-04T05:07:02Z");
        }
    }

    private static byte[] allowed(byte[] review) {
        String uid = Json.string(Json.parse(review), "request", "uid");
        return Json.bytes(Json.parse(
                "{\"apiVersion\":\"admission.k8s.io/v1\",\"kind\":\"AdmissionReview\",\"response\":{\"uid\":\"" + uid
                        + "\",\"allowed\":true}}"));
    }

    @Test
    void timesThatNeverComeHoldUpNothing() {
        try (DevCluster cluster = DevCluster.start(OPTIONS.workloads(Duration.ofSeconds(1)))) {
            cluster.apply("""
                    apiVersion: v1
                    kind: Node
                    metadata: {name: tainted}
                    spec: {taints: [{key: gone, effect: NoExecute}]}
                    ---
                    apiVersion: v1
                    kind: Pod
                    metadata: {name: one, namespace: default, finalizers: [example.com/hold]}
                    spec:
                      nodeName: tainted
                      terminationGracePeriodSeconds: 9223372036854775807
                      tolerations: [{operator: Exists, effect: NoExecute, tolerationSeconds: 9223372036854775807}]
                      containers: [{name: main, image: x}]
                    ---
                    apiVersion: batch/v1
                    kind: CronJob
                    metadata: {name: minutely, namespace: default}
                    spec:
                      schedule: "* * * * *"
                      startingDeadlineSeconds: 9223372036854775807
                      jobTemplate:
                        spec:
                          activeDeadlineSeconds: 9223372036854775807
                          template:
                            spec: {activeDeadlineSeconds: 2147483647, restartPolicy: Never, containers: [{name: main, image: x}]}
                    """);
            cluster.advance(Duration.ofMinutes(2));
            JsonNode jobs =
                    get(cluster, "/apis/batch/v1/namespaces/default/jobs").path("items");
            assertThat(jobs.valueStream()
                            .filter(job -> job.at("/status/succeeded").intValue(0) == 1))
                    .hasSize(2);
            assertThat(Json.string(get(cluster, POD), "status", "phase")).isEqualTo("Running");
            ApiResponse deleted = send(cluster, cluster.token(), "DELETE", POD, "");
            assertThat(deleted.status()).isEqualTo(200);
            assertThat(InMemory.text(deleted)).contains("\"deletionTimestamp\":\"9999-12-31T23:59:59Z\"");
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
