package dev.kopf4j.devcluster.controller.deployment;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The revisions of deployments, as annotations of their replica sets:
 * {@code pkg/controller/deployment/util/deployment_util.go}, v1.33. Pure.
 */
final class DeploymentRevision {
    static final String ANNOTATION = "deployment.kubernetes.io/revision";
    private static final Set<String> NOT_COPIED = Set.of(
            "kubectl.kubernetes.io/last-applied-configuration",
            ANNOTATION,
            "deployment.kubernetes.io/revision-history",
            ReplicaSetSize.DESIRED,
            ReplicaSetSize.MAX,
            "deprecated.deployment.rollback.to");

    private DeploymentRevision() {}

    static long highest(List<StoredObject> sets) {
        return sets.stream().mapToLong(set -> of(set.tree())).max().orElse(0);
    }

    static long of(JsonNode set) {
        String revision = text(set);
        return revision.matches("[0-9]{1,18}") ? Long.parseLong(revision) : 0;
    }

    static String text(JsonNode object) {
        return Json.string(object, "metadata", "annotations", ANNOTATION);
    }

    /**
     * Gives the newest replica set the annotations of its deployment, and the highest revision, also if its template
     * was used before.
     *
     * @param highest the highest revision of the other sets
     */
    static void renew(ObjectNode set, JsonNode deployment, long highest) {
        ObjectNode annotations = Json.child(Json.child(set, "metadata"), "annotations");
        for (Map.Entry<String, JsonNode> given :
                deployment.path("metadata").path("annotations").properties()) {
            if (!NOT_COPIED.contains(given.getKey())) {
                annotations.set(given.getKey(), given.getValue());
            }
        }
        if (of(set) <= highest) {
            annotations.put(ANNOTATION, String.valueOf(highest + 1));
        }
    }
}
