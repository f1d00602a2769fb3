package dev.kopf4j.devcluster.kind.builtin;

import dev.kopf4j.devcluster.kind.Draft;
import dev.kopf4j.devcluster.status.Cause;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Numbers in the status of workloads that cannot be, by {@code pkg/apis/apps/validation} of Kubernetes v1.33. */
final class WorkloadStatus {
    /** All counts of all kinds; each kind has some of them. */
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

    private static final List<String> PARTS =
            List.of("fullyLabeledReplicas", "updatedReplicas", "currentReplicas", "readyReplicas", "availableReplicas");

    private WorkloadStatus() {}

    static void check(Draft draft, Checks checks) {
        JsonNode status = draft.next().path("status");
        COUNTS.forEach(field -> checks.atLeast(status, field, "status", 0));
        PARTS.forEach(part -> atMost(status, part, "replicas", "status.replicas", checks));
        atMost(status, "availableReplicas", "readyReplicas", "readyReplicas", checks);
        ObjectNode before = draft.before();
        long collisions = before == null ? 0 : count(before.path("status"), "collisionCount");
        if (count(status, "collisionCount") < collisions) {
            checks.add(Cause.invalid(
                    "status.collisionCount", String.valueOf(count(status, "collisionCount")), "cannot be decremented"));
        }
    }

    private static long count(JsonNode status, String field) {
        return status.path(field).longValue(0);
    }

    private static void atMost(JsonNode status, String part, String whole, String shown, Checks checks) {
        long found = count(status, part);
        if (found > count(status, whole)) {
            checks.add(Cause.invalid("status." + part, String.valueOf(found), "cannot be greater than " + shown));
        }
    }
}
