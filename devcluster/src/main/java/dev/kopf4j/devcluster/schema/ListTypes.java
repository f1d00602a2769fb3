package dev.kopf4j.devcluster.schema;

import dev.kopf4j.devcluster.json.Equality;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.Cause;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Arrays that are sets or maps: no element twice. */
public final class ListTypes {
    private ListTypes() {}

    /** Which elements occur twice, anywhere below. */
    static List<Cause> check(Schema schema, JsonNode value) {
        List<Cause> causes = new ArrayList<>();
        walk(schema, value, "", causes);
        return causes;
    }

    private static void walk(Schema schema, JsonNode value, String path, List<Cause> causes) {
        if (value instanceof ObjectNode object) {
            for (Map.Entry<String, JsonNode> entry : object.properties()) {
                String below = schema.pathOf(entry.getKey(), path);
                schema.field(entry.getKey()).ifPresent(field -> walk(field, entry.getValue(), below, causes));
            }
        } else if (value instanceof ArrayNode array) {
            array(schema, array, path, causes);
            schema.items().ifPresent(items -> {
                for (int index = 0; index < array.size(); index++) {
                    walk(items, array.get(index), path + "[" + index + "]", causes);
                }
            });
        }
    }

    private static void array(Schema schema, ArrayNode array, String path, List<Cause> causes) {
        if (schema.listType().equals("set")) {
            duplicates(array, path, causes);
        } else if (schema.listType().equals("map")) {
            for (int index = 0; index < array.size(); index++) {
                if (!array.get(index).isObject() && !array.get(index).isNull()) {
                    String shown = Json.text(array.get(index));
                    String rule = "must be an object for an array of list-type map";
                    causes.add(Cause.invalid(path + "[" + index + "]", shown, rule));
                    return;
                }
            }
            ArrayNode keys = Json.array();
            array.forEach(element -> keys.add(key(schema, element)));
            duplicates(keys, path, causes);
        }
    }

    /** Each value that occurs twice is told once, at its second place. */
    private static void duplicates(ArrayNode values, String path, List<Cause> causes) {
        for (int index = 1; index < values.size(); index++) {
            if (before(values, index) == 1) {
                causes.add(Cause.duplicate(path + "[" + index + "]", Json.text(values.get(index))));
            }
        }
    }

    private static int before(ArrayNode values, int index) {
        int same = 0;
        for (int earlier = 0; earlier < index; earlier++) {
            same += Equality.same(values.get(index), values.get(earlier)) ? 1 : 0;
        }
        return same;
    }

    /** Whether any value occurs twice. */
    static boolean repeats(ArrayNode values) {
        List<Cause> causes = new ArrayList<>();
        duplicates(values, "", causes);
        return !causes.isEmpty();
    }

    private static JsonNode key(Schema schema, JsonNode element) {
        ObjectNode key = Json.object();
        for (JsonNode name : schema.node().path("x-kubernetes-list-map-keys")) {
            JsonNode value = element.get(name.stringValue());
            if (value != null) {
                key.set(name.stringValue(), value);
            }
        }
        return key;
    }

    /** The element of the former array that an element corresponds to: by key, by position, or none. */
    public static @Nullable JsonNode counterpart(Schema schema, JsonNode element, JsonNode before, int index) {
        return switch (schema.listType()) {
            case "map" -> withSameKey(schema, element, before);
            case "set", "atomic" -> null;
            default -> before.get(index);
        };
    }

    private static @Nullable JsonNode withSameKey(Schema schema, JsonNode element, JsonNode before) {
        JsonNode key = key(schema, element);
        for (JsonNode former : before) {
            if (Equality.same(key, key(schema, former))) {
                return former;
            }
        }
        return null;
    }
}
