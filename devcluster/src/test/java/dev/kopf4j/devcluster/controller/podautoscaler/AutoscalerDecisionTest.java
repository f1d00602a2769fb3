package dev.kopf4j.devcluster.controller.podautoscaler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.controller.podautoscaler.HorizontalController.AutoscalerDecision;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.json.YamlReader;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class AutoscalerDecisionTest {
    private static final String NOW = "2026-01-02T03:04:05Z";

    private static ObjectNode autoscaler(String spec) {
        return (ObjectNode) YamlReader.documents("{metadata: {namespace: shop}, spec: {scaleTargetRef: {name: web}, "
                        + "metrics: [{type: Resource, resource: {name: cpu, target: {averageUtilization: 80}}}], "
                        + spec
                        + "}}")
                .getFirst();
    }

    private static String conditions(JsonNode autoscaler) {
        return autoscaler
                .at("/status/conditions")
                .valueStream()
                .map(condition -> Json.string(condition, "status") + " " + Json.string(condition, "reason"))
                .collect(Collectors.joining(", "));
    }

    @ParameterizedTest
    @CsvSource({
        "'minReplicas: 2, maxReplicas: 5', 1, 2, 'True SucceededRescale'",
        "'minReplicas: 2, maxReplicas: 5', 9, 5, 'True SucceededRescale'",
        "'minReplicas: 2, maxReplicas: 5', 2, -1, 'True SucceededGetScale, False FailedGetResourceMetric'",
        "'maxReplicas: 5', 5, -1, 'True SucceededGetScale, False FailedGetResourceMetric'",
        "'maxReplicas: 5', 0, -1, 'True SucceededGetScale, False ScalingDisabled'",
        "'minReplicas: 0, maxReplicas: 5', 0, -1, 'True SucceededGetScale, False FailedGetResourceMetric'",
    })
    void replicasAreKeptBetweenTheLimits(String spec, long current, long wanted, String conditions) {
        ObjectNode autoscaler = autoscaler(spec);
        OptionalLong decided = AutoscalerDecision.decide(autoscaler, current, NOW);
        assertThat(decided.orElse(-1)).isEqualTo(wanted);
        assertThat(conditions(autoscaler)).isEqualTo(conditions);
        assertThat(autoscaler.at("/status/currentReplicas").longValue()).isEqualTo(current);
        assertThat(autoscaler.at("/status/desiredReplicas").longValue()).isEqualTo(Math.max(0, wanted));
        assertThat(autoscaler.path("status").has("lastScaleTime")).isEqualTo(wanted > 0);
    }

    @Test
    void aMissingTargetIsTold() {
        ObjectNode autoscaler = autoscaler("maxReplicas: 3");
        AutoscalerDecision.targetIsMissing(autoscaler, "deployments.apps", NOW);
        assertThat(conditions(autoscaler)).isEqualTo("False FailedGetScale");
        assertThat(Json.string(autoscaler.at("/status/conditions/0"), "message"))
                .isEqualTo("the HPA controller was unable to get the target's current scale:"
                        + " deployments.apps \"web\" not found");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{type: Resource, resource: {name: cpu, target: {averageUtilization: 8}}} | FailedGetResourceMetric | failed to get cpu utilization: unable to get metrics for resource cpu",
                "{type: Resource, resource: {name: memory, target: {averageValue: 8}}} | FailedGetResourceMetric | failed to get memory usage: unable to get metrics for resource memory",
                "{type: ContainerResource, containerResource: {name: cpu, target: {averageUtilization: 8}}} | FailedGetContainerResourceMetric | failed to get cpu utilization",
                "{type: Pods, pods: {metric: {name: hits}}} | FailedGetPodsMetric | unable to get metric hits: unable to fetch metrics from custom metrics API",
                "{type: Object, object: {metric: {name: hits}, describedObject: {kind: Ingress, name: door}}} | FailedGetObjectMetric | on Ingress shop/door",
                "{type: External, external: {metric: {name: queue}}} | FailedGetExternalMetric | unable to get external metric shop/queue",
            })
    void eachKindOfMetricIsMissedInItsWords(String metric, String reason, String message) {
        AutoscalerDecision.MissingMetric missing =
                AutoscalerDecision.MissingMetric.of(YamlReader.documents(metric).getFirst(), "shop");
        assertThat(missing.reason()).isEqualTo(reason);
        assertThat(missing.message())
                .startsWith("the HPA was unable to compute the replica count: ")
                .contains(message);
    }
}
