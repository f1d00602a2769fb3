package dev.kopf4j.devcluster.strategy.autoscaling;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Autoscalers: {@code validateHorizontalPodAutoscalerSpec} and {@code ValidateCrossVersionObjectReference} in
 * {@code pkg/apis/autoscaling/validation/validation.go}, v1.33. The default metric of v2 is a default of its type.
 */
final class HorizontalPodAutoscalerStrategy implements ResourceStrategy {
    private static final String TARGET = "targetCPUUtilizationPercentage";
    private static final String METRICS = "autoscaling.alpha.kubernetes.io/metrics";
    private static final int USUAL_UTILIZATION = 80;

    @Override
    public void prepare(ObjectDraft draft) {
        ObjectNode spec = Json.child(draft.next(), "spec");
        if (draft.resource().version().equals("v1")) {
            if (!spec.has(TARGET)
                    && !draft.next().path("metadata").path("annotations").has(METRICS)) {
                spec.put(TARGET, USUAL_UTILIZATION);
            }
        } else {
            ScalingBehavior.prepare(spec);
        }
    }

    @Override
    public void validate(ObjectDraft draft, FieldChecks checks) {
        if (draft.isStatus()) {
            checks.atLeast(draft.next().path("status"), "currentReplicas", "status", 0);
            checks.atLeast(draft.next().path("status"), "desiredReplicas", "status", 0);
            return;
        }
        JsonNode spec = draft.next().path("spec");
        checks.atLeast(spec, "minReplicas", "spec", 1);
        JsonNode max = spec.path("maxReplicas");
        if (max.longValue(0) < 1) {
            checks.add(FieldError.invalid("spec.maxReplicas", max.asString("0"), "must be greater than 0"));
        }
        if (spec.has("minReplicas")
                && max.longValue(0) < spec.path("minReplicas").longValue(0)) {
            checks.add(FieldError.invalid(
                    "spec.maxReplicas", max.asString("0"), "must be greater than or equal to `minReplicas`"));
        }
        MetricValidation metrics = new MetricValidation(checks);
        metrics.reference(spec.path("scaleTargetRef"), "spec.scaleTargetRef");
        boolean others = false;
        int index = 0;
        for (JsonNode metric : spec.path("metrics")) {
            metrics.check(metric, "spec.metrics[" + index++ + "]");
            others |= List.of("Object", "External").contains(Json.string(metric, "type"));
        }
        if (spec.path("minReplicas").longValue(1) == 0 && !others) {
            checks.add(FieldError.forbidden(
                    "spec.metrics",
                    "must specify at least one Object or External metric to support scaling to zero replicas"));
        }
        ScalingBehavior.check(spec.path("behavior"), checks);
    }
}
