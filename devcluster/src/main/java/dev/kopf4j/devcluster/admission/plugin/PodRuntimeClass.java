package dev.kopf4j.devcluster.admission.plugin;

import dev.kopf4j.devcluster.admission.plugin.BuiltinPlugins.Refused;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.json.JsonEquality;
import dev.kopf4j.devcluster.resource.Buckets;
import dev.kopf4j.devcluster.storage.ObjectStore;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What follows from a pod's runtime class: {@code plugin/pkg/admission/runtimeclass/admission.go}, v1.33. */
final class PodRuntimeClass {
    private final ObjectStore objectStore;

    PodRuntimeClass(ObjectStore objectStore) {
        this.objectStore = objectStore;
    }

    private Optional<ObjectNode> of(ObjectNode pod) throws Refused {
        String name = Json.string(pod, "spec", "runtimeClassName");
        if (name.isEmpty()) {
            return Optional.empty();
        }
        StoredObject found = objectStore.bucket(Buckets.RUNTIME_CLASSES).get("", name);
        if (found == null) {
            throw new Refused("pod rejected: RuntimeClass \"" + name + "\" not found");
        }
        return Optional.of(found.tree());
    }

    void set(ObjectNode pod) throws Refused {
        Optional<ObjectNode> runtimeClass = of(pod);
        if (runtimeClass.isEmpty()) {
            return;
        }
        ObjectNode spec = Json.child(pod, "spec");
        overhead(spec, runtimeClass.get().path("overhead").path("podFixed"));
        JsonNode scheduling = runtimeClass.get().path("scheduling");
        nodeSelector(spec, scheduling.path("nodeSelector"));
        for (JsonNode toleration : scheduling.path("tolerations")) {
            ArrayNode tolerations = Json.list(spec, "tolerations");
            if (tolerations.valueStream().noneMatch(each -> JsonEquality.same(each, toleration))) {
                tolerations.add(toleration.deepCopy());
            }
        }
    }

    private static void overhead(ObjectNode spec, JsonNode fixed) throws Refused {
        if (fixed.isEmpty()) {
            return;
        }
        if (!spec.path("overhead").isEmpty() && !JsonEquality.same(spec.path("overhead"), fixed)) {
            throw new Refused("pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead");
        }
        spec.set("overhead", fixed.deepCopy());
    }

    private static void nodeSelector(ObjectNode spec, JsonNode wanted) throws Refused {
        for (Map.Entry<String, JsonNode> label : wanted.properties()) {
            ObjectNode selector = Json.child(spec, "nodeSelector");
            String key = label.getKey();
            String value = label.getValue().asString("");
            String given = Json.string(selector, key);
            if (selector.has(key) && !given.equals(value)) {
                throw new Refused("conflict: runtimeClass.scheduling.nodeSelector[" + key + "] = " + value
                        + "; pod.spec.nodeSelector[" + key + "] = " + given);
            }
            selector.put(key, value);
        }
    }

    void validate(ObjectNode pod) throws Refused {
        boolean defined = of(pod).map(
                        each -> !each.path("overhead").path("podFixed").isEmpty())
                .orElse(false);
        if (!defined && !pod.path("spec").path("overhead").isEmpty()) {
            throw new Refused("pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead");
        }
    }
}
