package dev.kopf4j.devcluster.strategy.rbac;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.LabelSelectorValidation;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import tools.jackson.databind.JsonNode;

/** Cluster roles: {@code ValidateClusterRole} in {@code pkg/apis/rbac/validation/validation.go}, v1.33. */
final class ClusterRoleStrategy implements ResourceStrategy {
    private static final String SELECTORS = "aggregationRule.clusterRoleSelectors";

    @Override
    public boolean checksUpdatesTwice() {
        return true;
    }

    @Override
    public void validate(ObjectDraft draft, FieldChecks checks) {
        PolicyRuleValidation.check(draft.next().path("rules"), false, checks);
        JsonNode aggregation = draft.next().path("aggregationRule");
        JsonNode selectors = aggregation.path("clusterRoleSelectors");
        if (aggregation.isObject() && selectors.isEmpty()) {
            checks.add(FieldError.required(
                    SELECTORS, "at least one clusterRoleSelector required if aggregationRule is non-nil"));
        }
        for (int index = 0; index < selectors.size(); index++) {
            String path = SELECTORS + "[" + index + "]";
            if (!LabelSelectorValidation.check(selectors.get(index), path, checks)) {
                checks.add(FieldError.invalid(path, Json.text(selectors.get(index)), "invalid label selector."));
            }
        }
    }
}
