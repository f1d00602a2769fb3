package dev.kopf4j.devcluster.controller.statefulset;

import dev.kopf4j.devcluster.controller.action.StatusCounts;
import dev.kopf4j.devcluster.json.Json;
import java.util.Collection;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The status of stateful sets: {@code updateStatus} in {@code pkg/controller/statefulset/stateful_set_control.go}, and
 * {@code completeRollingUpdate} in {@code stateful_set_utils.go}, v1.33. Pure.
 */
final class StatefulSetStatus {
    private StatefulSetStatus() {}

    /** Sets the status by the pods that there are. */
    static void set(ObjectNode set, Collection<Replica> pods, String currentRevision, String updateRevision) {
        JsonNode spec = set.path("spec");
        ObjectNode status = Json.child(set, "status");
        long wanted = spec.path("replicas").longValue(1);
        long ready = count(pods, Replica::ready);
        long updated = count(pods, pod -> !pod.deleting() && pod.revision().equals(updateRevision));
        long current = count(pods, pod -> !pod.deleting() && pod.revision().equals(currentRevision));
        boolean rolling = !Json.string(spec, "updateStrategy", "type").equals("OnDelete");
        boolean complete = rolling && updated == wanted && ready == wanted && pods.size() == wanted;
        status.put("observedGeneration", set.path("metadata").path("generation").longValue(1));
        status.put("replicas", pods.size());
        StatusCounts.set(status, "readyReplicas", ready);
        status.put("availableReplicas", count(pods, Replica::available));
        StatusCounts.set(status, "currentReplicas", complete ? updated : current);
        StatusCounts.set(status, "updatedReplicas", updated);
        status.put("currentRevision", complete ? updateRevision : currentRevision);
        status.put("updateRevision", updateRevision);
        status.put("collisionCount", 0);
    }

    private static long count(Collection<Replica> pods, Predicate<Replica> which) {
        return pods.stream().filter(which).count();
    }
}
