package dev.kopf4j.devcluster.controller.podautoscaler;

import dev.kopf4j.devcluster.controller.action.ControllerActions;
import dev.kopf4j.devcluster.controller.action.WorkloadController;
import dev.kopf4j.devcluster.controller.action.WorkloadKind;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.util.Optional;
import java.util.OptionalLong;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Keeps the targets of autoscalers between their limits: {@code pkg/controller/podautoscaler/horizontal.go}, v1.33.
 * Autoscalers of custom resources are left alone.
 */
public final class HorizontalController implements WorkloadController {
    private static final WorkloadKind KIND = WorkloadKind.HORIZONTAL_POD_AUTOSCALER;
    private final ControllerActions actions;

    /** A controller without a state of its own. */
    public HorizontalController(ControllerActions actions) {
        this.actions = actions;
    }

    @Override
    public void sync(StoredObject object) {
        ObjectNode autoscaler = object.tree();
        JsonNode reference = autoscaler.path("spec").path("scaleTargetRef");
        WorkloadKind.of(Json.string(reference, "apiVersion"), Json.string(reference, "kind"))
                .filter(kind -> kind == WorkloadKind.DEPLOYMENT
                        || kind == WorkloadKind.REPLICA_SET
                        || kind == WorkloadKind.STATEFUL_SET)
                .filter(kind -> !object.deleting())
                .ifPresent(kind -> sync(object, autoscaler, kind));
    }

    private void sync(StoredObject object, ObjectNode autoscaler, WorkloadKind kind) {
        String name = Json.string(autoscaler, "spec", "scaleTargetRef", "name");
        Optional<StoredObject> target = actions.find(kind, object.namespace(), name);
        OptionalLong wanted = OptionalLong.empty();
        if (target.isEmpty()) {
            AutoscalerDecision.targetIsMissing(autoscaler, kind.qualified(), actions.now());
        } else {
            long current = target.get().tree().path("spec").path("replicas").longValue(1);
            wanted = AutoscalerDecision.decide(autoscaler, current, actions.now());
        }
        if (actions.replace(KIND, object, autoscaler)) {
            wanted.ifPresent(replicas -> target.ifPresent(scaled -> scale(kind, scaled, replicas)));
        }
    }

    private void scale(WorkloadKind kind, StoredObject target, long replicas) {
        ObjectNode tree = target.tree();
        Json.child(tree, "spec").put("replicas", replicas);
        actions.replaceSpec(kind, target, tree);
    }
}
