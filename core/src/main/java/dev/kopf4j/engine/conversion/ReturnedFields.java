package dev.kopf4j.engine.conversion;

import dev.kopf4j.json.JsonEquality;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Makes what a function has returned fit the object that it comes from. What the function could not see, as the type of
 * its parameter does not know it, is kept: at the same place, unless there is something else. Elements of lists are the
 * same if the lists are as long, and the elements agree in the fields that both have. And what records have a null for
 * is absent, as the API server wants it. Confined; used once.
 */
final class ReturnedFields {
    private final List<String> lost = new ArrayList<>();

    /**
     * Keeps what the function could not see.
     *
     * @param input what the function was to convert
     * @param seen what of that its type knows
     * @param output what it has made of it; gets the rest
     * @param at the path of the part
     * @return the paths of what has no place in the output
     */
    static List<String> keepUnknown(ObjectNode input, ObjectNode seen, ObjectNode output, String at) {
        ReturnedFields fields = new ReturnedFields();
        fields.object(input, seen, output, at);
        return fields.lost;
    }

    private void object(ObjectNode input, ObjectNode seen, ObjectNode output, String at) {
        for (Map.Entry<String, JsonNode> field : input.properties()) {
            String path = below(at, field.getKey());
            JsonNode known = seen.get(field.getKey());
            JsonNode made = output.get(field.getKey());
            if (known != null) {
                value(field.getValue(), known, made, path);
            } else if (made == null) {
                output.set(field.getKey(), field.getValue().deepCopy());
            } else if (!JsonEquality.equal(made, field.getValue())) {
                lost.add(path);
            }
        }
    }

    private void value(JsonNode input, JsonNode seen, @Nullable JsonNode output, String at) {
        if (input instanceof ObjectNode object && seen instanceof ObjectNode known) {
            if (output instanceof ObjectNode made) {
                object(object, known, made, at);
            } else {
                object.properties().forEach(field -> missing(field, known, at));
            }
        } else if (input instanceof ArrayNode list && seen instanceof ArrayNode known && list.size() == known.size()) {
            boolean asLong = output instanceof ArrayNode made && made.size() == list.size();
            for (int i = 0; i < list.size(); i++) {
                JsonNode element = asLong && output != null ? output.get(i) : null;
                boolean same = element != null && isSame(known.get(i), element);
                value(list.get(i), known.get(i), same ? element : null, at + "[]");
            }
        }
    }

    private void missing(Map.Entry<String, JsonNode> field, ObjectNode seen, String at) {
        JsonNode known = seen.get(field.getKey());
        if (known == null) {
            lost.add(below(at, field.getKey()));
        } else {
            value(field.getValue(), known, null, below(at, field.getKey()));
        }
    }

    /** Lists in lists are compared by their elements in turn. */
    private static boolean isSame(JsonNode seen, JsonNode made) {
        if (!(seen instanceof ObjectNode one) || !(made instanceof ObjectNode other)) {
            return seen.isArray() && made.isArray();
        }
        List<String> common = one.propertyStream()
                .filter(field -> field.getValue().isValueNode()
                        && !field.getValue().isNull()
                        && other.path(field.getKey()).isValueNode()
                        && !other.path(field.getKey()).isNull())
                .map(Map.Entry::getKey)
                .toList();
        return !common.isEmpty() && common.stream().allMatch(key -> JsonEquality.equal(one.get(key), other.get(key)));
    }

    private static String below(String at, String key) {
        return at.isEmpty() ? key : at + "." + key;
    }

    /**
     * Removes the fields that are null, all the way down. Where the original has a null, the null stays: fields may be
     * nullable.
     */
    static void removeAbsent(JsonNode made, @Nullable JsonNode original) {
        if (made instanceof ObjectNode object) {
            for (Map.Entry<String, JsonNode> field : List.copyOf(object.properties())) {
                JsonNode before = original == null ? null : original.get(field.getKey());
                if (!field.getValue().isNull()) {
                    removeAbsent(field.getValue(), before);
                } else if (before == null || !before.isNull()) {
                    object.remove(field.getKey());
                }
            }
        } else if (made instanceof ArrayNode list) {
            for (int i = 0; i < list.size(); i++) {
                removeAbsent(list.get(i), original instanceof ArrayNode before ? before.get(i) : null);
            }
        }
    }
}
