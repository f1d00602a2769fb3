package dev.kopf4j.devcluster.controller.workload;

import dev.kopf4j.devcluster.controller.action.ControllerActions;
import dev.kopf4j.devcluster.controller.action.PodTemplate;
import dev.kopf4j.devcluster.controller.action.WorkloadKind;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.resource.Buckets;
import dev.kopf4j.devcluster.selector.LabelSelector;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * Near which pods a pod has to be, and far from which: {@code filtering.go} in
 * {@code pkg/scheduler/framework/plugins/interpodaffinity}, v1.33, without what the pods that are there want
 * themselves. Confined to one look at a pod.
 */
final class PodAffinity {
    private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
    private final JsonNode pod;
    private final ControllerActions actions;
    private final List<JsonNode> near;
    private final List<JsonNode> far;
    private final Map<JsonNode, List<JsonNode>> places = new HashMap<>();

    private PodAffinity(JsonNode pod, ControllerActions actions, List<JsonNode> near, List<JsonNode> far) {
        this.pod = pod;
        this.actions = actions;
        this.near = near;
        this.far = far;
        List<JsonNode> placed = actions.all(WorkloadKind.POD).stream()
                .<JsonNode>map(StoredObject::tree)
                .filter(each -> !node(each).isEmpty() && !PodTemplate.hasEnded(each))
                .toList();
        Stream.concat(near.stream(), far.stream())
                .forEach(term -> places.put(
                        term,
                        placed.stream()
                                .filter(each -> selects(term, each))
                                .map(each -> labels(actions.find(WorkloadKind.NODE, "", node(each))
                                        .<JsonNode>map(StoredObject::tree)
                                        .orElse(Json.missing())))
                                .toList()));
    }

    /** Whether a pod requires anything. */
    static boolean isRequired(JsonNode pod) {
        return Stream.of("podAffinity", "podAntiAffinity")
                .anyMatch(kind -> !required(pod, kind).isEmpty());
    }

    /** What a pod requires; empty if nothing. */
    static Optional<PodAffinity> of(JsonNode pod, ControllerActions actions) {
        return isRequired(pod)
                ? Optional.of(
                        new PodAffinity(pod, actions, required(pod, "podAffinity"), required(pod, "podAntiAffinity")))
                : Optional.empty();
    }

    private static List<JsonNode> required(JsonNode pod, String kind) {
        return Json.at(pod, "spec", "affinity", kind, REQUIRED).valueStream().toList();
    }

    private static String node(JsonNode pod) {
        return Json.string(pod, "spec", "nodeName");
    }

    private static JsonNode labels(JsonNode object) {
        return object.path("metadata").path("labels");
    }

    /** Whether the pods that are there allow the pod on a node. */
    boolean allows(JsonNode node) {
        return far.stream().noneMatch(term -> isBeside(term, node)) && (isNear(node) || (isFirst() && hasKeys(node)));
    }

    private boolean isNear(JsonNode node) {
        return near.stream().allMatch(term -> isBeside(term, node));
    }

    /** Whether the pod is the first one of those that are to be together. */
    private boolean isFirst() {
        return near.stream().allMatch(term -> places(term).isEmpty() && selects(term, pod));
    }

    private boolean hasKeys(JsonNode node) {
        return near.stream().allMatch(term -> labels(node).has(Json.string(term, "topologyKey")));
    }

    private boolean isBeside(JsonNode term, JsonNode node) {
        String key = Json.string(term, "topologyKey");
        JsonNode value = labels(node).path(key);
        return value.isString()
                && places(term).stream().anyMatch(place -> place.path(key).equals(value));
    }

    private List<JsonNode> places(JsonNode term) {
        return places.getOrDefault(term, List.of());
    }

    private boolean selects(JsonNode term, JsonNode other) {
        return term.path("labelSelector").isObject()
                && LabelSelector.of(term.path("labelSelector")).matches(labels(other))
                && isInNamespace(term, Json.string(other, "metadata", "namespace"));
    }

    private boolean isInNamespace(JsonNode term, String namespace) {
        JsonNode named = term.path("namespaces");
        JsonNode selector = term.path("namespaceSelector");
        if (named.isEmpty() && !selector.isObject()) {
            return namespace.equals(Json.string(pod, "metadata", "namespace"));
        }
        StoredObject object =
                actions.state().objectStore().bucket(Buckets.NAMESPACES).get("", namespace);
        return named.valueStream().anyMatch(each -> each.asString().equals(namespace))
                || (selector.isObject()
                        && object != null
                        && LabelSelector.of(selector).matches(labels(object.tree())));
    }
}
