package dev.kopf4j.devcluster.controller.deployment;

import dev.kopf4j.devcluster.controller.action.StatusCounts;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.meta.StatusConditions;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The status of deployments: {@code pkg/controller/deployment/sync.go}, v1.33. Pure. */
final class DeploymentStatus {
    private DeploymentStatus() {}

    /**
     * Sets the status, and the revision, of a deployment.
     *
     * @param newest the replica set of the present template, if there is one
     * @param sets all replica sets
     */
    static void set(ObjectNode deployment, Optional<JsonNode> newest, List<JsonNode> sets, String now) {
        long wanted = deployment.path("spec").path("replicas").longValue(1);
        long replicas = StatusCounts.sum(sets, "replicas");
        long available = StatusCounts.sum(sets, "availableReplicas");
        long updated = newest.map(set -> StatusCounts.get(set, "replicas")).orElse(0L);
        ObjectNode status = Json.child(deployment, "status");
        status.put(
                "observedGeneration",
                deployment.path("metadata").path("generation").longValue(1));
        StatusCounts.set(status, "replicas", replicas);
        StatusCounts.set(status, "updatedReplicas", updated);
        StatusCounts.set(status, "readyReplicas", StatusCounts.sum(sets, "readyReplicas"));
        StatusCounts.set(status, "availableReplicas", available);
        StatusCounts.set(status, "unavailableReplicas", Math.max(0, wanted - available));
        boolean enough = available >= RollingUpdate.of(deployment.path("spec")).minAvailable();
        JsonNode former = StatusConditions.find(status, "Available")
                .map(JsonNode::deepCopy)
                .orElse(Json.missing());
        ObjectNode condition = StatusConditions.set(
                status,
                "Available",
                enough,
                enough ? "MinimumReplicasAvailable" : "MinimumReplicasUnavailable",
                enough ? "Deployment has minimum availability." : "Deployment does not have minimum availability.",
                now);
        if (!Json.string(former, "status").equals(Json.string(condition, "status"))) {
            condition.put("lastUpdateTime", now);
        }
        newest.map(DeploymentRevision::text)
                .filter(revision -> !revision.isEmpty())
                .ifPresent(revision -> Json.child(Json.child(deployment, "metadata"), "annotations")
                        .put(DeploymentRevision.ANNOTATION, revision));
    }
}
