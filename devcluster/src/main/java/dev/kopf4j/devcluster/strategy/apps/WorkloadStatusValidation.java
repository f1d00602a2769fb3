package dev.kopf4j.devcluster.strategy.apps;

import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Validates the counts in the status of workloads: {@code ValidateDeploymentStatus}, {@code ValidateReplicaSetStatus},
 * {@code ValidateStatefulSetStatus} and {@code validateDaemonSetStatus} in
 * {@code pkg/apis/apps/validation/validation.go}, v1.33. Pure.
 */
final class WorkloadStatusValidation {
    private static final Set<String> REPLICA_KINDS =
            Set.of("Deployment", "ReplicaSet", "StatefulSet", "ReplicationController");

    /** The counts that are parts of the replicas, in the order of the errors. */
    private static final Map<String, List<String>> PARTS = Map.of(
            "Deployment", List.of("updatedReplicas", "readyReplicas", "availableReplicas"),
            "ReplicaSet", List.of("fullyLabeledReplicas", "readyReplicas", "availableReplicas"),
            "ReplicationController", List.of("fullyLabeledReplicas", "readyReplicas", "availableReplicas"),
            "StatefulSet", List.of("readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas"));

    private WorkloadStatusValidation() {}

    static void check(ObjectDraft draft, FieldChecks checks) {
        JsonNode status = draft.next().path("status");
        List<String> counts = status.properties().stream()
                .filter(field -> field.getValue().isNumber())
                .map(Map.Entry::getKey)
                .toList();
        counts.forEach(field -> checks.atLeast(status, field, "status", 0));
        String kind = draft.resource().kind();
        PARTS.getOrDefault(kind, List.of())
                .forEach(part -> atMost(status, part, "replicas", "status.replicas", checks));
        if (REPLICA_KINDS.contains(kind)) {
            atMost(status, "availableReplicas", "readyReplicas", "readyReplicas", checks);
        }
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
