package dev.kopf4j.devcluster.strategy.core;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.json.JsonEquality;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What {@code pods/ephemeralcontainers} and {@code pods/resize} take from a request; all else stays as it is:
 * {@code dropNonEphemeralContainerUpdates} and {@code dropNonResizeUpdates} in
 * {@code pkg/registry/core/pod/strategy.go} and {@code ValidatePodEphemeralContainersUpdate} in
 * {@code pkg/apis/core/validation/validation.go}, v1.33. Pure.
 */
final class PodSubresources {
    static final String EPHEMERAL = "ephemeralcontainers";
    static final String RESIZE = "resize";
    private static final List<String> METADATA =
            List.of("labels", "annotations", "finalizers", "ownerReferences", "generation");

    private PodSubresources() {}

    /** Keeps all but the containers that debug a pod. */
    static void keepAllButEphemeralContainers(ObjectNode pod, ObjectNode before) {
        JsonNode added = pod.path("spec").get("ephemeralContainers");
        ObjectNode spec = keep(pod, before);
        spec.remove("ephemeralContainers");
        if (added != null) {
            spec.set("ephemeralContainers", added);
        }
    }

    /** Keeps all but the resources of containers, unless there are other containers: those are refused later. */
    static void keepAllButResources(ObjectNode pod, ObjectNode before) {
        for (String list : List.of("containers", "initContainers")) {
            if (pod.path("spec").path(list).size()
                    != before.path("spec").path(list).size()) {
                return;
            }
        }
        JsonNode sent = pod.path("spec");
        ObjectNode spec = keep(pod, before);
        for (String list : List.of("containers", "initContainers")) {
            resources(sent.path(list), spec.path(list));
        }
    }

    private static void resources(JsonNode sent, JsonNode kept) {
        for (int index = 0; index < sent.size(); index++) {
            ObjectNode container = (ObjectNode) kept.get(index);
            container.put("name", Json.string(sent.get(index), "name"));
            for (String field : List.of("resources", "resizePolicy")) {
                container.remove(List.of(field));
                if (sent.get(index).has(field)) {
                    container.set(field, sent.get(index).get(field));
                }
            }
        }
    }

    private static ObjectNode keep(ObjectNode pod, ObjectNode before) {
        ObjectNode metadata = Json.child(pod, "metadata");
        metadata.remove(METADATA);
        for (String field : METADATA) {
            if (before.path("metadata").has(field)) {
                metadata.set(field, before.path("metadata").get(field).deepCopy());
            }
        }
        pod.set("status", before.path("status").deepCopy());
        pod.set("spec", before.path("spec").deepCopy());
        return (ObjectNode) pod.get("spec");
    }

    /** Refuses other changes of such containers than new ones. */
    static void checkEphemeralContainers(JsonNode spec, JsonNode before, FieldChecks checks) {
        JsonNode now = spec.path("ephemeralContainers") instanceof ArrayNode list ? list : Json.array();
        for (JsonNode former : before.path("ephemeralContainers")) {
            String name = Json.string(former, "name");
            JsonNode same = now.valueStream()
                    .filter(each -> Json.string(each, "name").equals(name))
                    .findFirst()
                    .orElse(Json.missing());
            if (!JsonEquality.same(same, former)) {
                String what = same.isMissingNode() ? "removed" : "changed";
                String rule = "existing ephemeral containers " + FieldError.quote(name) + " may not be " + what + "\n";
                checks.add(FieldError.forbidden("spec.ephemeralContainers", rule));
            }
        }
    }
}
