package dev.kopf4j.devcluster.controller.statefulset;

import dev.kopf4j.devcluster.json.Json;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Decides what a stateful set does next: {@code updateStatefulSet}, {@code processReplica} and {@code processCondemned}
 * in {@code pkg/controller/statefulset/stateful_set_control.go}, and {@code newVersionedStatefulSetPod} in
 * {@code stateful_set_utils.go}, v1.33. With the policy OrderedReady, it does one thing at a time, and waits for each
 * pod; with Parallel, it creates and deletes all at once, but updates one at a time all the same. Confined to one task.
 */
final class StatefulSetPlan {
    private final boolean ordered;
    private final boolean updates;
    private final long partition;
    private final String updateRevision;
    private final List<Replica> replicas;
    private final List<Replica> condemned;
    private final @Nullable Replica firstUnhealthy;
    private final List<StatefulSetStep> steps = new ArrayList<>();

    /**
     * A plan for the pods that there are.
     *
     * @param currentReplicas how many pods of the current revision the status counts
     */
    StatefulSetPlan(
            JsonNode spec,
            Collection<Replica> pods,
            String currentRevision,
            String updateRevision,
            long currentReplicas) {
        boolean rolling = !Json.string(spec, "updateStrategy", "type").equals("OnDelete");
        JsonNode rollingUpdate = spec.path("updateStrategy").path("rollingUpdate");
        this.ordered = !Json.string(spec, "podManagementPolicy").equals("Parallel");
        this.updates = rolling;
        this.partition = rollingUpdate.path("partition").longValue(0);
        this.updateRevision = updateRevision;
        long start = spec.path("ordinals").path("start").longValue(0);
        long end = start + spec.path("replicas").longValue(1);
        boolean counted = rolling && !rollingUpdate.isObject();
        long keepCurrent = start + (counted ? currentReplicas : partition);
        Map<Long, Replica> present = new HashMap<>();
        pods.forEach(pod -> present.put(pod.ordinal(), pod));
        this.replicas = LongStream.range(start, end)
                .mapToObj(ordinal -> present.getOrDefault(
                        ordinal, Replica.missing(ordinal, ordinal < keepCurrent ? currentRevision : updateRevision)))
                .toList();
        this.condemned = pods.stream()
                .filter(pod -> pod.ordinal() < start || pod.ordinal() >= end)
                .sorted(Comparator.comparingLong(Replica::ordinal).reversed())
                .toList();
        this.firstUnhealthy = Stream.concat(replicas.stream(), condemned.reversed().stream())
                .filter(pod -> !pod.isHealthy())
                .findFirst()
                .orElse(null);
    }

    /** What is to be done now; nothing if it has to wait, or is done. */
    List<StatefulSetStep> steps() {
        if (keep() && shrink() && updates) {
            update();
        }
        return List.copyOf(steps);
    }

    /** Sees that all replicas are there and healthy; false if the rest has to wait. */
    private boolean keep() {
        for (Replica replica : replicas) {
            if (!keep(replica) && ordered) {
                return false;
            }
        }
        return true;
    }

    private boolean keep(Replica replica) {
        if (replica.hasEnded()) {
            if (!replica.deleting()) {
                steps.add(new StatefulSetStep.Delete(replica.ordinal()));
            }
            return false;
        }
        if (replica.isMissing()) {
            steps.add(new StatefulSetStep.Create(replica.ordinal(), replica.revision()));
            return false;
        }
        if (replica.phase().equals("Pending")) {
            steps.add(new StatefulSetStep.Claims(replica.ordinal()));
        }
        return replica.isHealthy() && replica.available();
    }

    /** Deletes the pods beyond the number of replicas, the last one first; false if the rest has to wait. */
    private boolean shrink() {
        for (Replica pod : condemned) {
            boolean inTheWay = pod.equals(firstUnhealthy);
            if (!pod.deleting() && (!ordered || inTheWay || pod.available())) {
                steps.add(new StatefulSetStep.Delete(pod.ordinal()));
            }
            if (ordered) {
                return false;
            }
        }
        return true;
    }

    /** Deletes the last pod of another revision, if all after it are healthy. */
    private void update() {
        for (int target = replicas.size() - 1; target >= partition; target--) {
            Replica replica = replicas.get(target);
            if (!replica.revision().equals(updateRevision) && !replica.deleting()) {
                steps.add(new StatefulSetStep.Delete(replica.ordinal()));
                return;
            }
            if (!replica.isHealthy()) {
                return;
            }
        }
    }
}
