package dev.kopf4j.devcluster.patch;

import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** JSON merge patches (RFC 7386), as the library that Kubernetes uses (evanphx/json-patch) applies them. */
public final class MergePatch {
    private MergePatch() {}

    /** Changes an object in place: null removes, objects merge, all else replaces. */
    public static void apply(ObjectNode target, ObjectNode patch) {
        for (Map.Entry<String, JsonNode> entry : patch.properties()) {
            JsonNode value = entry.getValue();
            if (value.isNull()) {
                target.remove(entry.getKey());
            } else if (value instanceof ObjectNode object && target.get(entry.getKey()) instanceof ObjectNode present) {
                apply(present, object);
            } else {
                target.set(entry.getKey(), withoutNulls(value.deepCopy()));
            }
        }
    }

    private static JsonNode withoutNulls(JsonNode value) {
        if (value instanceof ObjectNode object) {
            object.removeIf(JsonNode::isNull);
            object.forEach(MergePatch::withoutNulls);
        } else if (value instanceof ArrayNode array) {
            array.forEach(MergePatch::withoutNulls);
        }
        return value;
    }
}
