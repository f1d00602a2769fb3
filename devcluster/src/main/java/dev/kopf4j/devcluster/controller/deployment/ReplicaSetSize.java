package dev.kopf4j.devcluster.controller.deployment;

import dev.kopf4j.devcluster.controller.action.StatusCounts;
import dev.kopf4j.devcluster.json.Json;
import tools.jackson.databind.JsonNode;

/**
 * How many pods a replica set is to have, and how many of them are available.
 *
 * @param created its creation time, which sorts replica sets by age
 * @param maxBefore how many pods all replica sets were allowed together when it was scaled last; 0 if unknown
 */
record ReplicaSetSize(String name, String created, long replicas, long available, long maxBefore) {
    static final String DESIRED = "deployment.kubernetes.io/desired-replicas";
    static final String MAX = "deployment.kubernetes.io/max-replicas";

    static ReplicaSetSize of(JsonNode set) {
        return new ReplicaSetSize(
                Json.string(set, "metadata", "name"),
                Json.string(set, "metadata", "creationTimestamp"),
                set.path("spec").path("replicas").longValue(1),
                StatusCounts.get(set, "availableReplicas"),
                annotated(set, MAX, 0));
    }

    /** The number in an annotation, or another one if there is none. */
    static long annotated(JsonNode set, String annotation, long otherwise) {
        String text = Json.string(set, "metadata", "annotations", annotation);
        return StatusCounts.number(text).orElse(otherwise);
    }

    boolean isActive() {
        return replicas > 0;
    }

    ReplicaSetSize resized(long wanted) {
        return new ReplicaSetSize(name, created, wanted, available, maxBefore);
    }
}
