package dev.kopf4j.devcluster.strategy.rbac;

import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import java.util.List;

/**
 * Cluster role bindings: {@code ValidateClusterRoleBinding} in {@code pkg/apis/rbac/validation/validation.go}, v1.33.
 */
final class ClusterRoleBindingStrategy implements ResourceStrategy {
    private static final BindingValidation VALIDATION = new BindingValidation(false, List.of("ClusterRole"));

    @Override
    public void prepare(ObjectDraft draft) {
        BindingDefaults.prepare(draft.next());
    }

    @Override
    public boolean checksUpdatesTwice() {
        return true;
    }

    @Override
    public void validate(ObjectDraft draft, FieldChecks checks) {
        VALIDATION.check(draft, checks);
    }
}
