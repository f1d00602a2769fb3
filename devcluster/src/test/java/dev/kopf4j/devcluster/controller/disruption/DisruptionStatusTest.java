package dev.kopf4j.devcluster.controller.disruption;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.controller.disruption.DisruptionController.DisruptionStatus;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.json.YamlReader;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class DisruptionStatusTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

    private static ObjectNode yaml(String text) {
        return (ObjectNode) YamlReader.documents(text).getFirst();
    }

    private static List<JsonNode> pods(int ready, int others) {
        List<JsonNode> pods = new ArrayList<>();
        for (int each = 0; each < ready + others; each++) {
            pods.add(yaml("{metadata: {name: p%s}, status: {conditions: [{type: Ready, status: '%s'}]}}"
                    .formatted(each, each < ready ? "True" : "False")));
        }
        return pods;
    }

    @ParameterizedTest
    @CsvSource({
        // spec | ready, not ready, scale | healthy, desired, expected, allowed
        "'minAvailable: 2', 3, 0, 9, '3 2 3 1'",
        "'minAvailable: 2', 2, 1, 9, '2 2 3 0'",
        "'minAvailable: 0', 2, 0, 9, '2 0 2 2'",
        "'minAvailable: 0', 0, 0, 9, '0 0 0 0'",
        "'minAvailable: 50%', 3, 0, 3, '3 2 3 1'",
        "'minAvailable: 100%', 3, 0, 3, '3 3 3 0'",
        "'maxUnavailable: 1', 3, 0, 3, '3 2 3 1'",
        "'maxUnavailable: 1', 2, 1, 3, '2 2 3 0'",
        "'maxUnavailable: 1', 1, 0, 3, '1 2 3 0'",
        "'maxUnavailable: 30%', 4, 0, 4, '4 2 4 2'",
        "'maxUnavailable: 9', 3, 0, 3, '3 0 3 3'",
    })
    void countsWhatMayBeDisrupted(String spec, int ready, int others, long scale, String counts) {
        ObjectNode budget = yaml("{metadata: {generation: 4}, spec: {" + spec + "}}");
        DisruptionStatus status = new DisruptionStatus(budget, NOW);
        status.set(pods(ready, others), OptionalLong.of(scale), NOW.toString());
        JsonNode shown = budget.path("status");
        assertThat("%s %s %s %s"
                        .formatted(
                                shown.path("currentHealthy").longValue(),
                                shown.path("desiredHealthy").longValue(),
                                shown.path("expectedPods").longValue(),
                                shown.path("disruptionsAllowed").longValue()))
                .isEqualTo(counts);
        boolean allowed = !counts.endsWith(" 0");
        JsonNode condition = shown.at("/conditions/0");
        assertThat(Json.string(condition, "reason")).isEqualTo(allowed ? "SufficientPods" : "InsufficientPods");
        assertThat(Json.string(condition, "status")).isEqualTo(allowed ? "True" : "False");
        assertThat(condition.path("observedGeneration").longValue()).isEqualTo(4);
    }

    @Test
    void nothingIsAllowedIfTheScaleIsUnknown() {
        ObjectNode budget = yaml("{spec: {maxUnavailable: 1}, status: {disruptionsAllowed: 1}}");
        new DisruptionStatus(budget, NOW).set(pods(3, 0), OptionalLong.empty(), NOW.toString());
        assertThat(budget.at("/status/disruptionsAllowed").longValue()).isZero();
        assertThat(Json.string(budget.at("/status/conditions/0"), "reason")).isEqualTo("SyncFailed");
    }

    @Test
    void podsThatAreBeingEvictedDoNotCountForTwoMinutes() {
        ObjectNode budget = yaml("""
                spec: {minAvailable: 1}
                status: {disruptedPods: {p0: '2026-01-02T03:03:00Z', p1: '2026-01-02T03:02:00Z', gone: '2026-01-02T03:04:00Z'}}
                """);
        new DisruptionStatus(budget, NOW).set(pods(3, 0), OptionalLong.empty(), NOW.toString());
        assertThat(budget.at("/status/currentHealthy").longValue()).isEqualTo(2);
        assertThat(budget.at("/status/disruptedPods").propertyNames()).containsExactly("p0");
    }
}
