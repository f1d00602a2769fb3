package dev.kopf4j.devcluster.strategy.apps;

import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Validates the counts in the status of workloads: {@code ValidateDeploymentStatus}, {@code ValidateReplicaSetStatus},
 * {@code ValidateStatefulSetStatus} and {@code validateDaemonSetStatus} in
 * {@code pkg/apis/apps/validation/validation.go}, v1.33. Pure.
 */
final class WorkloadStatusValidation {
    /** The counts of all kinds; each kind has some of them. */
    private static final List<String> COUNTS = List.of(
            "observedGeneration",
            "replicas",
            "fullyLabeledReplicas",
            "updatedReplicas",
            "currentReplicas",
            "readyReplicas",
            "availableReplicas",
            "unavailableReplicas",
            "currentNumberScheduled",
            "numberMisscheduled",
            "desiredNumberScheduled",
            "numberReady",
            "updatedNumberScheduled",
            "numberAvailable",
            "numberUnavailable",
            "collisionCount");

    private static final List<String> PARTS_OF_REPLICAS =
            List.of("fullyLabeledReplicas", "updatedReplicas", "currentReplicas", "readyReplicas", "availableReplicas");

    private WorkloadStatusValidation() {}

    static void check(ObjectDraft draft, FieldChecks checks) {
        JsonNode status = draft.next().path("status");
        COUNTS.forEach(field -> checks.atLeast(status, field, "status", 0));
        PARTS_OF_REPLICAS.forEach(part -> atMost(status, part, "replicas", "status.replicas", checks));
        atMost(status, "availableReplicas", "readyReplicas", "readyReplicas", checks);
        ObjectNode before = draft.before();
        long collisions = before == null ? 0 : count(before.path("status"), "collisionCount");
        if (count(status, "collisionCount") < collisions) {
            checks.add(FieldError.invalid(
                    "status.collisionCount", String.valueOf(count(status, "collisionCount")), "cannot be decremented"));
        }
    }

    private static long count(JsonNode status, String field) {
        return status.path(field).longValue(0);
    }

    private static void atMost(JsonNode status, String part, String whole, String shown, FieldChecks checks) {
        long found = count(status, part);
        if (found > count(status, whole)) {
            checks.add(FieldError.invalid("status." + part, String.valueOf(found), "cannot be greater than " + shown));
        }
    }
}
