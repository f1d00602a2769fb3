package dev.kopf4j.engine.conversion;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Records have a null for what is absent, and the API server wants it to be absent. Where the original has a null, the
 * null stays: fields may be nullable. Pure.
 */
final class AbsentFields {
    private AbsentFields() {}

    /** Removes the fields that are null, all the way down. */
    static void remove(JsonNode made, @Nullable JsonNode original) {
        if (made instanceof ObjectNode object) {
            for (Map.Entry<String, JsonNode> field : List.copyOf(object.properties())) {
                JsonNode before = original == null ? null : original.get(field.getKey());
                if (!field.getValue().isNull()) {
                    remove(field.getValue(), before);
                } else if (before == null || !before.isNull()) {
                    object.remove(field.getKey());
                }
            }
        } else if (made instanceof ArrayNode list) {
            for (int i = 0; i < list.size(); i++) {
                remove(list.get(i), original instanceof ArrayNode before ? before.get(i) : null);
            }
        }
    }
}
