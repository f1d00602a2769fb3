package dev.kopf4j.devcluster.controller.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.conformance.InMemory;
import dev.kopf4j.devcluster.json.Json;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

class PodFateTest {
    private static final String PODS = "/api/v1/namespaces/default/pods";
    private static final String TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io";
    private final InMemory cluster = new InMemory(options -> options.workloads(Duration.ofSeconds(1)));

    private String shown() {
        String table = InMemory.text(cluster.send("GET", PODS + "/a", "", Map.of("accept", TABLE)));
        return Json.parse(table).at("/rows/0/cells/2").asString();
    }

    @ParameterizedTest
    @Tag("P63")
    @CsvSource({
        "fail, Error",
        "crash, CrashLoopBackOff",
        "evict, Evicted",
        "unready, Running",
        "succeed, Completed",
        "other, Running"
    })
    void aPodEndsAsItsAnnotationSays(String fate, String status) {
        cluster.send(
                "POST",
                PODS,
                "metadata: {name: a, annotations: {devcluster.kopf4j.dev/pod: " + fate
                        + "}}\nspec: {containers: [{name: c, image: x}]}");
        cluster.time().advance(Duration.ofSeconds(5));
        assertThat(shown()).isEqualTo(status);
    }

    @Test
    @Tag("P63")
    void aPodThatRunsMeetsItsFateWhenTheAnnotationComes() {
        cluster.send("POST", PODS, "metadata: {name: a}\nspec: {containers: [{name: c, image: x}]}");
        cluster.time().advance(Duration.ofSeconds(5));
        assertThat(shown()).isEqualTo("Running");
        cluster.send(
                "PATCH", PODS + "/a", "{\"metadata\":{\"annotations\":{\"devcluster.kopf4j.dev/pod\":\"evict\"}}}");
        cluster.time().advance(Duration.ofSeconds(5));
        assertThat(shown()).isEqualTo("Evicted");
    }

    @ParameterizedTest
    @CsvSource({
        "unready, null, True",
        "unready, un-ready, True",
        "crash, null, True",
        "crash, unready, False",
        "unready, crash, False"
    })
    void aPodRecoversWhenItsAnnotationGoes(String fate, String next, String ready) {
        cluster.send(
                "POST",
                PODS,
                "metadata: {name: a, annotations: {devcluster.kopf4j.dev/pod: " + fate
                        + "}}\nspec: {containers: [{name: c, image: x}]}");
        cluster.time().advance(Duration.ofSeconds(5));
        assertThat(ready()).isEqualTo("False");
        String value = next.equals("null") ? next : "\"" + next + "\"";
        cluster.send(
                "PATCH", PODS + "/a", "{\"metadata\":{\"annotations\":{\"devcluster.kopf4j.dev/pod\":" + value + "}}}");
        cluster.time().advance(Duration.ofSeconds(5));
        assertThat(ready()).isEqualTo(ready);
        assertThat(shown()).isEqualTo(next.equals("crash") ? "CrashLoopBackOff" : "Running");
        assertThat(cluster.get(PODS + "/a")
                        .at("/status/containerStatuses/0/restartCount")
                        .intValue())
                .isEqualTo(fate.equals("crash") || next.equals("crash") ? 1 : 0);
    }

    /** As {@code kubectl debug} does, which waits for the status. */
    @ParameterizedTest
    @CsvSource({
        "'', x, running",
        "crash, x, running",
        "'', registry.invalid/x, waiting",
        "succeed, x, terminated",
        "evict, x, terminated"
    })
    void aContainerThatDebugsAPodRunsUntilThePodEnds(String fate, String image, String state) {
        cluster.send("POST", PODS, "metadata: {name: a}\nspec: {containers: [{name: c, image: x}]}");
        cluster.time().advance(Duration.ofSeconds(5));
        cluster.send(
                "PATCH",
                PODS + "/a/ephemeralcontainers",
                "{\"spec\":{\"ephemeralContainers\":[{\"name\":\"d\",\"image\":\"" + image + "\"}]}}");
        cluster.send(
                "PATCH",
                PODS + "/a",
                "{\"metadata\":{\"annotations\":{\"devcluster.kopf4j.dev/pod\":\"" + fate + "\"}}}");
        cluster.time().advance(Duration.ofSeconds(5));
        JsonNode status = cluster.get(PODS + "/a").at("/status/ephemeralContainerStatuses");
        assertThat(status).hasSize(1);
        assertThat(Json.string(status.path(0), "name")).isEqualTo("d");
        assertThat(status.path(0).path("state").propertyNames()).containsExactly(state);
        assertThat(ready()).isEqualTo(fate.isEmpty() ? "True" : "False");
    }

    @Test
    void aContainerDebugsAPodWhoseOwnImageCannotBePulled() {
        cluster.send("POST", PODS, "metadata: {name: a}\nspec: {containers: [{name: c, image: registry.invalid/x}]}");
        cluster.send(
                "PATCH",
                PODS + "/a/ephemeralcontainers",
                "{\"spec\":{\"ephemeralContainers\":[{\"name\":\"d\",\"image\":\"x\"}]}}");
        assertThat(cluster.get(PODS + "/a").path("status").has("ephemeralContainerStatuses"))
                .isFalse();
        cluster.time().advance(Duration.ofSeconds(5));
        assertThat(cluster.get(PODS + "/a")
                        .at("/status/ephemeralContainerStatuses/0/state")
                        .propertyNames())
                .containsExactly("running");
    }

    private String ready() {
        return cluster.get(PODS + "/a")
                .path("status")
                .path("conditions")
                .valueStream()
                .filter(condition -> Json.string(condition, "type").equals("Ready"))
                .map(condition -> Json.string(condition, "status"))
                .collect(Collectors.joining());
    }

    @Test
    void aFateThatComesBackBeforeThePodHasRecoveredIsNotLost() {
        cluster.send(
                "POST",
                PODS,
                "metadata: {name: a, annotations: {devcluster.kopf4j.dev/pod: unready}}\nspec: {containers: [{name: c, image: x}]}");
        cluster.time().advance(Duration.ofSeconds(5));
        cluster.send("PATCH", PODS + "/a", "{\"metadata\":{\"annotations\":null}}");
        cluster.time().advance(Duration.ofMillis(500));
        cluster.send("PATCH", PODS + "/a", "{\"metadata\":{\"annotations\":{\"devcluster.kopf4j.dev/pod\":\"fail\"}}}");
        cluster.time().advance(Duration.ofSeconds(5));
        assertThat(shown()).isEqualTo("Error");
    }

    @Test
    @Tag("P63")
    void aJobWhosePodsFailFailsAfterItsBackoffLimit() {
        cluster.send("POST", "/apis/batch/v1/namespaces/default/jobs", """
                metadata: {name: j}
                spec: {backoffLimit: 1, template: {metadata: {annotations: {devcluster.kopf4j.dev/pod: fail}},
                  spec: {restartPolicy: Never, containers: [{name: c, image: x}]}}}
                """);
        cluster.time().advance(Duration.ofSeconds(20));
        JsonNode status =
                cluster.get("/apis/batch/v1/namespaces/default/jobs/j").path("status");
        assertThat(status.path("failed").intValue()).isEqualTo(2);
        assertThat(status.path("conditions").toString()).contains("BackoffLimitExceeded");
    }

    @Test
    @Tag("P63")
    void theNodeIsThereAndLogsHaveALine() {
        cluster.send("POST", PODS, "metadata: {name: a}\nspec: {containers: [{name: c, image: x}]}");
        cluster.time().advance(Duration.ofSeconds(5));
        String node = cluster.get(PODS + "/a").at("/spec/nodeName").asString();
        assertThat(cluster.get("/api/v1/nodes/" + node)
                        .at("/status/conditions/0/type")
                        .asString())
                .isEqualTo("Ready");
        assertThat(InMemory.text(cluster.send("GET", PODS + "/a/log", ""))).contains("simulated pod a");
    }

    @ParameterizedTest
    @CsvSource({
        "tailLines=0, 200, ''",
        "tailLines=-1, 422, 'tailLines: Invalid value: -1: must be greater than or equal to 0'",
        "limitBytes=0, 422, 'limitBytes: Invalid value: 0: must be greater than 0'",
        "sinceSeconds=0, 422, 'sinceSeconds: Invalid value: 0: must be greater than 0'",
        "sinceSeconds=1&sinceTime=2026-01-01T00:00:00Z, 422, at most one of `sinceTime` or `sinceSeconds`",
        "tailLines=x, 400, invalid syntax"
    })
    void theQueryOfALogIsChecked(String query, int status, String message) {
        cluster.send("POST", PODS, "metadata: {name: a}\nspec: {containers: [{name: c, image: x}]}");
        ApiResponse answer = cluster.send("GET", PODS + "/a/log?" + query, "");
        assertThat(answer.status()).isEqualTo(status);
        assertThat(InMemory.text(answer)).contains(message);
    }
}
