package dev.kopf4j.devcluster.controller.disruption;

import dev.kopf4j.devcluster.controller.action.ControllerActions;
import dev.kopf4j.devcluster.controller.action.WorkloadController;
import dev.kopf4j.devcluster.controller.action.WorkloadKind;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.selector.LabelSelector;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Computes what disruption budgets allow: {@code trySync} and {@code finders} in
 * {@code pkg/controller/disruption/disruption.go}, v1.33. The pods of daemon sets and jobs have no scale.
 */
public final class DisruptionController implements WorkloadController {
    private final ControllerActions actions;

    /** A controller without a state of its own. */
    public DisruptionController(ControllerActions actions) {
        this.actions = actions;
    }

    @Override
    public void sync(StoredObject object) {
        if (object.deleting()) {
            return;
        }
        ObjectNode budget = object.tree();
        List<JsonNode> pods = pods(object.namespace(), budget.path("spec"));
        DisruptionStatus status = new DisruptionStatus(budget, actions.instant());
        OptionalLong scale = status.needsScale() ? scale(object.namespace(), pods) : OptionalLong.empty();
        status.set(pods, scale, actions.now());
        actions.replace(WorkloadKind.POD_DISRUPTION_BUDGET, object, budget);
    }

    private List<JsonNode> pods(String namespace, JsonNode spec) {
        if (!spec.has("selector")) {
            return List.of();
        }
        LabelSelector selector = LabelSelector.of(spec.path("selector"));
        return actions.in(WorkloadKind.POD, namespace).stream()
                .<JsonNode>map(StoredObject::tree)
                .filter(pod -> selector.matches(pod.path("metadata").path("labels")))
                .toList();
    }

    /** How many pods the controllers of some pods want together. Pods without a controller do not count. */
    private OptionalLong scale(String namespace, List<JsonNode> pods) {
        Map<String, Long> scales = new HashMap<>();
        for (JsonNode pod : pods) {
            Optional<JsonNode> reference = controllerOf(pod);
            if (reference.isPresent()) {
                Optional<Scale> scale = scaleOf(namespace, reference.get());
                if (scale.isEmpty()) {
                    return OptionalLong.empty();
                }
                scales.put(scale.get().uid(), scale.get().replicas());
            }
        }
        return OptionalLong.of(
                scales.values().stream().mapToLong(Long::longValue).sum());
    }

    private record Scale(String uid, long replicas) {}

    private static Optional<JsonNode> controllerOf(JsonNode object) {
        return object.path("metadata")
                .path("ownerReferences")
                .valueStream()
                .filter(reference -> reference.path("controller").booleanValue(false))
                .findFirst();
    }

    private Optional<Scale> scaleOf(String namespace, JsonNode reference) {
        Optional<WorkloadKind> kind =
                WorkloadKind.of(Json.string(reference, "apiVersion"), Json.string(reference, "kind"));
        Optional<StoredObject> found = kind.filter(each -> each == WorkloadKind.REPLICA_SET
                        || each == WorkloadKind.STATEFUL_SET
                        || each == WorkloadKind.DEPLOYMENT)
                .flatMap(each -> actions.find(each, namespace, Json.string(reference, "name")))
                .filter(object -> object.uid().equals(Json.string(reference, "uid")));
        if (found.isEmpty()) {
            return Optional.empty();
        }
        JsonNode tree = found.get().tree();
        return controllerOf(tree)
                .flatMap(owner -> scaleOf(namespace, owner))
                .or(() -> Optional.of(new Scale(
                        found.get().uid(), tree.path("spec").path("replicas").longValue(1))));
    }
}
