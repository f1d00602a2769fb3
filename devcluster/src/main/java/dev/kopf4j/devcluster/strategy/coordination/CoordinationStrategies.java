package dev.kopf4j.devcluster.strategy.coordination;

import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** The strategies of the group coordination.k8s.io. */
public final class CoordinationStrategies {
    private CoordinationStrategies() {}

    /** The strategies by the qualified names of resources. */
    public static Map<String, ResourceStrategy> all() {
        return Map.of("leases.coordination.k8s.io", new LeaseStrategy());
    }

    /** Leases: {@code ValidateLeaseSpec} in {@code pkg/apis/coordination/validation/validation.go}, v1.33. */
    private static final class LeaseStrategy implements ResourceStrategy {
        @Override
        public void validate(ObjectDraft draft, FieldChecks checks) {
            JsonNode spec = draft.next().path("spec");
            checks.atLeast(spec, "leaseDurationSeconds", "spec", 1);
            checks.atLeast(spec, "leaseTransitions", "spec", 0);
        }
    }
}
