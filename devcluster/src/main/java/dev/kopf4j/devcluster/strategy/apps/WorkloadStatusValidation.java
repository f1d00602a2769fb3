package dev.kopf4j.devcluster.strategy.apps;

import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Numbers in the status of workloads that cannot be, by {@code pkg/apis/apps/validation} of Kubernetes v1.33. */
final class WorkloadStatusValidation {
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

    private WorkloadStatusValidation() {}

    static void check(ObjectDraft objectDraft, FieldChecks fieldChecks) {
        JsonNode status = objectDraft.next().path("status");
        COUNTS.forEach(field -> fieldChecks.atLeast(status, field, "status", 0));
        PARTS.forEach(part -> atMost(status, part, "replicas", "status.replicas", fieldChecks));
        atMost(status, "availableReplicas", "readyReplicas", "readyReplicas", fieldChecks);
        ObjectNode before = objectDraft.before();
        long collisions = before == null ? 0 : count(before.path("status"), "collisionCount");
        if (count(status, "collisionCount") < collisions) {
            fieldChecks.add(FieldError.invalid(
                    "status.collisionCount", String.valueOf(count(status, "collisionCount")), "cannot be decremented"));
        }
    }

    private static long count(JsonNode status, String field) {
        return status.path(field).longValue(0);
    }

    private static void atMost(JsonNode status, String part, String whole, String shown, FieldChecks fieldChecks) {
        long found = count(status, part);
        if (found > count(status, whole)) {
            fieldChecks.add(
                    FieldError.invalid("status." + part, String.valueOf(found), "cannot be greater than " + shown));
        }
    }
}
