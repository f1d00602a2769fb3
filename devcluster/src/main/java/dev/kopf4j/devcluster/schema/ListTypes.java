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
final class ListTypes {
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
                String below = path.isEmpty() ? entry.getKey() : path + "." + entry.getKey();
                schema.field(entry.getKey()).ifPresent(field -> walk(field, entry.getValue(), below, causes));
            }
        } else if (value instanceof ArrayNode array) {
            duplicates(schema, array, path, causes);
            schema.items().ifPresent(items -> {
                for (int index = 0; index < array.size(); index++) {
                    walk(items, array.get(index), path + "[" + index + "]", causes);
                }
            });
        }
    }

    private static void duplicates(Schema schema, ArrayNode array, String path, List<Cause> causes) {
        if (!schema.listType().equals("map") && !schema.listType().equals("set")) {
            return;
        }
        for (int index = 1; index < array.size(); index++) {
            JsonNode key = key(schema, array.get(index));
            for (int earlier = 0; earlier < index; earlier++) {
                if (Equality.same(key, key(schema, array.get(earlier)))) {
                    causes.add(Cause.duplicate(path + "[" + index + "]", Json.text(key)));
                    break;
                }
            }
        }
    }

    private static JsonNode key(Schema schema, JsonNode element) {
        if (!schema.listType().equals("map")) {
            return element;
        }
        ObjectNode key = Json.object();
        for (JsonNode name : schema.node().path("x-kubernetes-list-map-keys")) {
            JsonNode value = element.get(name.stringValue());
            if (value != null) {
                key.set(name.stringValue(), value);
            }
        }
        return key;
    }

    /** The element of the former array that an element corresponds to: by key, or by position. */
    static @Nullable JsonNode counterpart(Schema schema, JsonNode element, JsonNode before, int index) {
        if (!schema.listType().equals("map")) {
            return before.get(index);
        }
        JsonNode key = key(schema, element);
        for (JsonNode former : before) {
            if (Equality.same(key, key(schema, former))) {
                return former;
            }
        }
        return null;
    }
}
