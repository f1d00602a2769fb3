package dev.kopf4j.object;

import dev.kopf4j.json.JsonEquality;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Keeps the fields that a type does not know, where a value of the type takes the place of what was there: each at the
 * same place, unless there is something else. Elements of lists are the same if the lists are as long, and the elements
 * at one place have the same name or id, or, without one, agree in all single values that both have. Confined; used
 * once.
 */
public final class UnknownFields {
    /** What tells apart the elements of a list, by convention; the first one that both have decides. */
    private static final List<String> IDENTITY = List.of("name", "id");

    private final List<String> lost = new ArrayList<>();

    private UnknownFields() {}

    /**
     * Keeps what a type does not know.
     *
     * @param before what was there
     * @param seen what of that the type knows
     * @param output what takes its place; gets the rest
     * @param at the path of the part
     * @return the paths of what has no place in the output
     */
    public static List<String> keep(ObjectNode before, ObjectNode seen, ObjectNode output, String at) {
        UnknownFields fields = new UnknownFields();
        fields.object(before, seen, output, at);
        return fields.lost;
    }

    private void object(ObjectNode before, ObjectNode seen, ObjectNode output, String at) {
        for (Map.Entry<String, JsonNode> field : before.properties()) {
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

    private void value(JsonNode before, JsonNode seen, @Nullable JsonNode output, String at) {
        if (before instanceof ObjectNode object && seen instanceof ObjectNode known) {
            if (output instanceof ObjectNode made) {
                object(object, known, made, at);
            } else {
                object.properties().forEach(field -> missing(field, known, at));
            }
        } else if (before instanceof ArrayNode list && seen instanceof ArrayNode known && list.size() == known.size()) {
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
        List<String> common = one.propertyNames().stream()
                .filter(key -> isSingle(one.path(key)) && isSingle(other.path(key)))
                .toList();
        List<String> deciding = IDENTITY.stream()
                .filter(common::contains)
                .findFirst()
                .map(List::of)
                .orElse(common);
        return !deciding.isEmpty()
                && deciding.stream().allMatch(key -> JsonEquality.equal(one.get(key), other.get(key)));
    }

    private static boolean isSingle(JsonNode value) {
        return value.isValueNode() && !value.isNull();
    }

    private static String below(String at, String key) {
        return at.isEmpty() ? key : at + "." + key;
    }
}
