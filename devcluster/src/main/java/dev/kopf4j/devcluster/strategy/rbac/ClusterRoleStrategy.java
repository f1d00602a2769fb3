package dev.kopf4j.devcluster.strategy.rbac;

import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;

/** Cluster roles: {@code ValidateClusterRole} in {@code pkg/apis/rbac/validation/validation.go}, v1.33. */
final class ClusterRoleStrategy implements ResourceStrategy {
    @Override
    public boolean checksUpdatesTwice() {
        return true;
    }

    @Override
    public void validate(ObjectDraft draft, FieldChecks checks) {
        PolicyRuleValidation.check(draft.next().path("rules"), false, checks);
    }
}
