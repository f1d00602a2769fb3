package dev.kopf4j.devcluster.strategy.coordination;

import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import tools.jackson.databind.JsonNode;

/** Leases: {@code ValidateLeaseSpec} in {@code pkg/apis/coordination/validation/validation.go}, v1.33. */
final class LeaseStrategy implements ResourceStrategy {
    @Override
    public void validate(ObjectDraft draft, FieldChecks checks) {
        JsonNode spec = draft.next().path("spec");
        checks.atLeast(spec, "leaseDurationSeconds", "spec", 1);
        checks.atLeast(spec, "leaseTransitions", "spec", 0);
    }
}
