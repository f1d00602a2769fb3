package dev.kopf4j.devcluster.strategy.autoscaling;

import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import tools.jackson.databind.JsonNode;

/**
 * Autoscalers: {@code validateHorizontalPodAutoscalerSpec} and {@code ValidateCrossVersionObjectReference} in
 * {@code pkg/apis/autoscaling/validation/validation.go}, v1.33. The default metric of v2 is a default of its type.
 */
final class HorizontalPodAutoscalerStrategy implements ResourceStrategy {
    @Override
    public void validate(ObjectDraft draft, FieldChecks checks) {
        JsonNode spec = draft.next().path("spec");
        checks.atLeast(spec, "minReplicas", "spec", 1);
        checks.atLeast(spec, "maxReplicas", "spec", 1);
        JsonNode max = spec.path("maxReplicas");
        if (spec.has("minReplicas")
                && max.longValue(0) < spec.path("minReplicas").longValue(0)) {
            checks.add(FieldError.invalid(
                    "spec.maxReplicas", max.asString(), "must be greater than or equal to `minReplicas`"));
        }
        checks.required(spec.path("scaleTargetRef"), "kind", "spec.scaleTargetRef");
        checks.required(spec.path("scaleTargetRef"), "name", "spec.scaleTargetRef");
    }
}
