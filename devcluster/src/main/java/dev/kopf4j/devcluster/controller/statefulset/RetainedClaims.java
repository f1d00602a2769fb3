package dev.kopf4j.devcluster.controller.statefulset;

import dev.kopf4j.devcluster.controller.action.ControllerActions;
import dev.kopf4j.devcluster.controller.action.WorkloadKind;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The claims of stateful sets. They stay, unless the set's {@code persistentVolumeClaimRetentionPolicy} says that they
 * are deleted with the set, or with a pod that is one too many: then that is their owner. See
 * {@code updateClaimOwnerRefForSetAndPod} in {@code pkg/controller/statefulset/stateful_set_utils.go}, v1.33.
 */
final class RetainedClaims {
    private static final WorkloadKind CLAIM = WorkloadKind.PERSISTENT_VOLUME_CLAIM;
    private final ControllerActions actions;

    RetainedClaims(ControllerActions actions) {
        this.actions = actions;
    }

    private static boolean isDeleted(JsonNode set, String when) {
        return Json.string(set, "spec", "persistentVolumeClaimRetentionPolicy", when)
                .equals("Delete");
    }

    /** Creates the claims of an ordinal that are missing. */
    void create(StoredObject object, JsonNode set, long ordinal) {
        for (ObjectNode claim : StatefulPod.claims(set, ordinal).values()) {
            if (find(object, claim).isPresent()) {
                continue;
            }
            if (isDeleted(set, "whenDeleted")) {
                actions.create(CLAIM, object, WorkloadKind.STATEFUL_SET, claim);
            } else {
                actions.create(CLAIM, object.namespace(), claim);
            }
        }
    }

    private Optional<StoredObject> find(StoredObject neighbour, JsonNode claim) {
        return actions.find(CLAIM, neighbour.namespace(), Json.string(claim, "metadata", "name"));
    }

    /** Lets the claims of a pod that is one too many go with it, if the set says so. */
    void tieTo(StoredObject pod, JsonNode set, long ordinal) {
        if (!isDeleted(set, "whenScaled")) {
            return;
        }
        for (ObjectNode claim : StatefulPod.claims(set, ordinal).values()) {
            find(pod, claim).ifPresent(present -> own(present, pod));
        }
    }

    private void own(StoredObject claim, StoredObject pod) {
        ObjectNode tree = claim.tree();
        Json.child(tree, "metadata")
                .putArray("ownerReferences")
                .addObject()
                .put("apiVersion", WorkloadKind.POD.apiVersion())
                .put("kind", WorkloadKind.POD.kind())
                .put("name", pod.name())
                .put("uid", pod.uid())
                .put("controller", true)
                .put("blockOwnerDeletion", true);
        actions.replace(CLAIM, claim, tree);
    }
}
