package dev.kopf4j.engine.admission;

import dev.kopf4j.json.JsonPatch;
import dev.kopf4j.object.PatchContent;
import dev.kopf4j.object.PatchTransformation;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Turns what handlers want to be changed in a reviewed object into the JSON patch of the response. Pure. */
final class AdmissionPatch {
    private AdmissionPatch() {}

    /** The operations; none if the object stays as it is. */
    static ArrayNode of(ObjectNode body, PatchContent patch) {
        ObjectNode changed = body.deepCopy();
        merge(changed, patch.merge());
        ArrayNode conditions = patch.conditions().differenceTo(changed);
        if (conditions != null) {
            changed.withObject("/status").set("conditions", conditions);
        }
        for (PatchTransformation transformation : patch.transformations()) {
            transformation.apply(changed);
        }
        return JsonPatch.diff(body, changed);
    }

    /** As a merge patch, except that a mapping that loses its last key is removed, and an empty one changes nothing. */
    private static void merge(ObjectNode target, ObjectNode patch) {
        for (Map.Entry<String, JsonNode> entry : patch.properties()) {
            String key = entry.getKey();
            switch (entry.getValue()) {
                case ObjectNode fragment -> mergeInto(target, key, fragment);
                case JsonNode value when value.isNull() -> target.remove(key);
                case JsonNode value -> target.set(key, value);
            }
        }
    }

    private static void mergeInto(ObjectNode target, String key, ObjectNode fragment) {
        if (fragment.isEmpty()) {
            return;
        }
        boolean nested = target.get(key) instanceof ObjectNode;
        ObjectNode inner = nested ? (ObjectNode) target.get(key) : target.objectNode();
        boolean wasEmpty = inner.isEmpty();
        merge(inner, fragment);
        if (inner.isEmpty() && !wasEmpty) {
            target.remove(key);
        } else if (!nested && !inner.isEmpty()) {
            target.set(key, inner);
        }
    }
}
