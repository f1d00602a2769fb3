package dev.kopf4j.devcluster.strategy.policy;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.IntOrPercentValidation;
import dev.kopf4j.devcluster.strategy.LabelSelectorValidation;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** The strategies of the group policy. */
public final class PolicyStrategies {
    private PolicyStrategies() {}

    /** The strategies by the qualified names of resources. */
    public static Map<String, ResourceStrategy> all() {
        return Map.of("poddisruptionbudgets.policy", new PodDisruptionBudgetStrategy());
    }

    /**
     * Disruption budgets: {@code ValidatePodDisruptionBudgetSpec} in {@code pkg/apis/policy/validation/validation.go},
     * v1.33.
     */
    private static final class PodDisruptionBudgetStrategy implements ResourceStrategy {
        @Override
        public void validate(ObjectDraft draft, FieldChecks checks) {
            JsonNode spec = draft.next().path("spec");
            if (spec.has("minAvailable") && spec.has("maxUnavailable")) {
                checks.add(FieldError.invalid(
                        "spec", Json.text(spec), "minAvailable and maxUnavailable cannot be both set"));
            }
            IntOrPercentValidation.checkOfWhole(spec.path("minAvailable"), "spec.minAvailable", checks);
            IntOrPercentValidation.checkOfWhole(spec.path("maxUnavailable"), "spec.maxUnavailable", checks);
            LabelSelectorValidation.check(spec.path("selector"), "spec.selector", checks);
            checks.oneOf(spec, "unhealthyPodEvictionPolicy", "spec", List.of("AlwaysAllow", "IfHealthyBudget"));
        }
    }
}
