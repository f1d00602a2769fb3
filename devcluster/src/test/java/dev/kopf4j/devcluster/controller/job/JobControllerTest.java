package dev.kopf4j.devcluster.controller.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.conformance.InMemory;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.meta.StatusConditions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** A pod takes ten seconds to start, and ten to end. */
class JobControllerTest {
    private static final String JOBS = "/apis/batch/v1/namespaces/default/jobs";
    private static final String PODS = "/api/v1/namespaces/default/pods";
    private static final String INDEX = "batch.kubernetes.io/job-completion-index";
    private static final String PAUSE = "{name: main, image: example.com/pause:3.10}";

    private final InMemory cluster = new InMemory(options -> options.workloads(Duration.ofSeconds(10)));

    private void create(String spec, String container) {
        JsonNode made = cluster.json("POST", JOBS, """
                metadata: {name: sums}
                spec:
                  %s
                  template: {metadata: {labels: {app: sums}}, spec: {restartPolicy: Never, containers: [%s]}}
                """.formatted(spec.replace("\n", "\n  "), container));
        assertThat(Json.string(made, "metadata", "name")).as("%s", made).isEqualTo("sums");
    }

    private static String shell(String command) {
        return "{name: main, image: x, command: [/bin/sh, -c, '" + command + "']}";
    }

    private JsonNode status() {
        return cluster.get(JOBS + "/sums").path("status");
    }

    private List<JsonNode> pods() {
        return cluster.get(PODS).path("items").valueStream().toList();
    }

    private void advance(int seconds) {
        cluster.time().advance(Duration.ofSeconds(seconds));
    }

    private String reason(String condition) {
        return StatusConditions.find(status(), condition)
                .map(found -> Json.string(found, "reason"))
                .orElse("none");
    }

    private static String name(JsonNode pod) {
        return Json.string(pod, "metadata", "name");
    }

    private static String annotation(JsonNode pod, String name) {
        return Json.string(pod.path("metadata").path("annotations"), name);
    }

    /** Lets the running pods of odd indexes fail. */
    private void failOdd() {
        for (JsonNode pod : pods()) {
            if (Integer.parseInt(annotation(pod, INDEX)) % 2 == 1
                    && Json.string(pod, "status", "phase").equals("Running")) {
                cluster.send(
                        "PATCH",
                        PODS + "/" + name(pod),
                        "{\"metadata\":{\"annotations\":{\"devcluster.kopf4j.dev/pod\":\"fail\"}}}");
            }
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"exit 0|Succeeded|0", "exit 3|Failed|3", "exit 42|Failed|42"})
    void theExitCodeOfAShellIsThatOfThePod(String command, String phase, int exitCode) {
        cluster.send(
                "POST",
                PODS,
                "metadata: {name: a}\nspec: {restartPolicy: Never, containers: [" + shell(command) + "]}");
        advance(30);
        JsonNode pod = cluster.get(PODS + "/a");
        assertThat(Json.string(pod, "status", "phase")).isEqualTo(phase);
        assertThat(pod.at("/status/containerStatuses/0/state/terminated/exitCode")
                        .intValue())
                .isEqualTo(exitCode);
    }

    @Test
    void aJobWhoseEndHasNoTimeHasEnded() {
        create("ttlSecondsAfterFinished: 60", PAUSE);
        advance(11);
        JsonNode ended = cluster.json(
                "PATCH",
                JOBS + "/sums/status",
                "{\"status\":{\"active\":null,\"ready\":0,\"completionTime\":\"2026-01-02T03:05:00Z\",\"conditions\":["
                        + "{\"type\":\"SuccessCriteriaMet\",\"status\":\"True\"},{\"type\":\"Complete\",\"status\":\"True\"}]}}");
        assertThat(Json.string(ended, "kind")).as("%s", ended).isEqualTo("Job");
        assertThat(pods()).hasSize(1);
        assertThat(pods().getFirst().path("metadata").has("finalizers")).isFalse();
        advance(100);
        assertThat(cluster.send("GET", JOBS + "/sums", "").status())
                .as("nobody knows when its time is over")
                .isEqualTo(200);
    }

    @Test
    void podsOfAnIndexedJobKnowTheirIndex() {
        create("completions: 4\nparallelism: 2\ncompletionMode: Indexed", shell("exit 0"));
        assertThat(pods()).extracting(pod -> annotation(pod, INDEX)).containsExactly("0", "1");
        JsonNode second = pods().get(1);
        assertThat(name(second)).startsWith("sums-1-");
        assertThat(Json.string(second, "spec", "hostname")).isEqualTo("sums-1");
        assertThat(Json.string(second.path("metadata").path("labels"), INDEX)).isEqualTo("1");
        assertThat(second.at("/spec/containers/0/env/0/valueFrom/fieldRef/fieldPath")
                        .asString())
                .isEqualTo("metadata.labels['" + INDEX + "']");
        advance(60);
        assertThat(Json.string(status(), "completedIndexes")).isEqualTo("0-3");
        assertThat(status().path("succeeded").intValue()).isEqualTo(4);
        assertThat(reason("Complete")).isEqualTo("CompletionsReached");
    }

    @Test
    void withALimitPerIndexTheOthersGoOnWhenOneFails() {
        create("completions: 4\nparallelism: 2\ncompletionMode: Indexed\nbackoffLimitPerIndex: 1", shell("exit 0"));
        for (int i = 0; i < 30; i++) {
            advance(5);
            failOdd();
        }
        assertThat(Json.string(status(), "completedIndexes")).isEqualTo("0,2");
        assertThat(Json.string(status(), "failedIndexes")).isEqualTo("1,3");
        assertThat(status().path("failed").intValue()).isEqualTo(4);
        assertThat(reason("Failed")).isEqualTo("FailedIndexes");
        assertThat(pods().stream().filter(pod -> annotation(pod, INDEX).equals("1")))
                .extracting(pod -> annotation(pod, "batch.kubernetes.io/job-index-failure-count"))
                .containsExactlyInAnyOrder("0", "1");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "maxFailedIndexes: 0|MaxFailedIndexesExceeded|0|1",
                "podFailurePolicy: {rules: [{action: FailIndex, onExitCodes: {operator: In, values: [7]}}]}"
                        + "|FailedIndexes|0-2|3",
                "podFailurePolicy: {rules: [{action: FailJob, onExitCodes: {operator: NotIn, values: [8]}}]}"
                        + "|PodFailurePolicy|''|1",
            })
    void aJobFailsByItsIndexesOrItsPolicy(String more, String reason, String failedIndexes, int failed) {
        create(
                "completions: 3\nparallelism: 1\ncompletionMode: Indexed\nbackoffLimitPerIndex: "
                        + (more.startsWith("max") ? 0 : 2) + "\n" + more,
                shell("exit 7"));
        advance(300);
        assertThat(reason("Failed")).isEqualTo(reason);
        assertThat(Json.string(status(), "failedIndexes")).isEqualTo(failedIndexes);
        assertThat(status().path("failed").intValue()).isEqualTo(failed);
    }

    @Test
    void theMessageNamesTheContainerAndTheRule() {
        create(
                "podFailurePolicy: {rules: [{action: FailJob, onExitCodes: {operator: In, values: [7]}}]}",
                shell("exit 7"));
        advance(60);
        assertThat(Json.string(StatusConditions.find(status(), "Failed").orElseThrow(), "message"))
                .matches("Container main for pod default/sums-\\w+ failed with exit code 7 matching FailJob rule at"
                        + " index 0");
    }

    @Test
    void evictionsMayBeIgnored() {
        create(
                "backoffLimit: 0\npodFailurePolicy: {rules: [{action: Ignore, onPodConditions: "
                        + "[{type: DisruptionTarget, status: 'True'}]}]}",
                PAUSE);
        advance(15);
        String first = name(pods().getFirst());
        cluster.send("POST", PODS + "/" + first + "/eviction", "metadata: {name: " + first + "}");
        advance(15);
        assertThat(pods()).hasSize(1).extracting(JobControllerTest::name).doesNotContain(first);
        assertThat(status().path("failed").isMissingNode()).isTrue();
        assertThat(reason("Failed")).isEqualTo("none");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "succeededIndexes: '0,2'|'0-2'",
                "succeededCount: 1|'0'",
                "succeededIndexes: '0-3', succeededCount: 2|'0,1'"
            })
    void aJobMaySucceedBeforeAllHaveDone(String rule, String completed) {
        create(
                "completions: 5\nparallelism: 1\ncompletionMode: Indexed\nsuccessPolicy: {rules: [{" + rule + "}]}",
                shell("exit 0"));
        advance(300);
        assertThat(Json.string(status(), "completedIndexes")).isEqualTo(completed);
        assertThat(reason("SuccessCriteriaMet")).isEqualTo("SuccessPolicy");
        assertThat(reason("Complete")).isEqualTo("SuccessPolicy");
        assertThat(pods()).allMatch(pod -> pod.at("/metadata/finalizers").isMissingNode());
    }

    @Test
    void whatWasCountedStaysCountedWhenThePodsAreDeleted() {
        create("completions: 3\nparallelism: 1", shell("exit 0"));
        advance(25);
        assertThat(status().path("succeeded").intValue()).isEqualTo(1);
        cluster.send("DELETE", PODS + "?fieldSelector=status.phase=Succeeded", "");
        assertThat(pods()).hasSize(1);
        advance(60);
        assertThat(status().path("succeeded").intValue()).isEqualTo(3);
        assertThat(reason("Complete")).isEqualTo("CompletionsReached");
    }

    @Test
    void aDeletedPodHasFailedAndIsReplaced() {
        create("backoffLimit: 1", PAUSE);
        for (int failed = 1; failed <= 2; failed++) {
            advance(15);
            cluster.send("DELETE", PODS + "/" + name(pods().getFirst()), "");
            assertThat(status().path("failed").intValue()).isEqualTo(failed);
        }
        assertThat(reason("Failed")).isEqualTo("BackoffLimitExceeded");
        assertThat(pods()).isEmpty();
    }

    @Test
    void whatIsSuspendedHasNotFailed() {
        create("parallelism: 2", PAUSE);
        advance(15);
        assertThat(status().path("ready").intValue()).isEqualTo(2);
        cluster.send("PATCH", JOBS + "/sums", "{\"spec\":{\"suspend\":true}}");
        advance(15);
        assertThat(pods()).isEmpty();
        assertThat(status().path("failed").isMissingNode()).isTrue();
        assertThat(reason("Suspended")).isEqualTo("JobSuspended");
        cluster.send("PATCH", JOBS + "/sums", "{\"spec\":{\"suspend\":false, \"parallelism\": 3}}");
        assertThat(pods()).hasSize(3);
        cluster.send("PATCH", JOBS + "/sums", "{\"spec\":{\"parallelism\": 1}}");
        assertThat(pods()).hasSize(1);
        assertThat(status().path("active").intValue()).isEqualTo(1);
    }

    @Test
    void podsThatAreLeftBehindHaveNoFinalizer() {
        create("parallelism: 2", PAUSE);
        assertThat(pods())
                .allMatch(pod ->
                        pod.at("/metadata/finalizers/0").asString("").equals("batch.kubernetes.io/job-tracking"));
        cluster.send("DELETE", JOBS + "/sums?propagationPolicy=Orphan", "");
        assertThat(pods())
                .hasSize(2)
                .allMatch(pod -> pod.at("/metadata/finalizers").isMissingNode());
    }

    @ParameterizedTest
    @CsvSource({"Background", "Foreground"})
    void podsGoWithTheirJob(String policy) {
        create("parallelism: 2", PAUSE);
        advance(15);
        cluster.send("DELETE", JOBS + "/sums?propagationPolicy=" + policy, "");
        assertThat(pods()).isEmpty();
        assertThat(cluster.send("GET", JOBS + "/sums", "").status()).isEqualTo(404);
    }

    @Test
    void aPodThatIsRestartedInItsPlaceFailsTheJobAfterEnoughRestarts() {
        cluster.json("POST", JOBS, """
                metadata: {name: sums}
                spec:
                  backoffLimit: 2
                  template: {spec: {restartPolicy: OnFailure, containers: [%s]}}
                """.formatted(shell("exit 1")));
        advance(25);
        assertThat(pods().getFirst()
                        .at("/status/containerStatuses/0/restartCount")
                        .intValue())
                .isEqualTo(1);
        assertThat(reason("Failed")).isEqualTo("none");
        advance(60);
        assertThat(reason("Failed")).isEqualTo("BackoffLimitExceeded");
        assertThat(pods()).isEmpty();
    }

    @Test
    void aJobOfAnotherControllerIsLeftAlone() {
        create("managedBy: example.com/other", PAUSE);
        advance(30);
        assertThat(pods()).isEmpty();
        assertThat(status()).isEmpty();
    }
}
