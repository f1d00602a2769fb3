package dev.kopf4j.devcluster.fieldmanager;

import dev.kopf4j.devcluster.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Merges an applied configuration into a live object. Follows {@code typed/merge.go} of structured-merge-diff v4.6.
 * Pure: it changes neither of them.
 */
final class ConfigurationMerge {
    private ConfigurationMerge() {}

    static JsonNode merge(MergeSchema schema, JsonNode live, JsonNode configuration) {
        return switch (schema.structure()) {
            case NONE -> configuration.deepCopy();
            case FIELDS, ANY ->
                live instanceof ObjectNode object && configuration instanceof ObjectNode other
                        ? objects(schema, object, other)
                        : configuration.deepCopy();
            case KEYED, SET ->
                live instanceof ArrayNode array && configuration instanceof ArrayNode other
                        ? lists(schema, array, other)
                        : configuration.deepCopy();
        };
    }

    private static ObjectNode objects(MergeSchema schema, ObjectNode live, ObjectNode configuration) {
        ObjectNode merged = live.deepCopy();
        for (Map.Entry<String, JsonNode> entry : configuration.properties()) {
            JsonNode present = live.get(entry.getKey());
            MergeSchema below = schema.field(entry.getKey()).orElse(MergeSchema.UNKNOWN);
            merged.set(
                    entry.getKey(),
                    present == null ? entry.getValue().deepCopy() : merge(below, present, entry.getValue()));
        }
        return merged;
    }

    /** Applied elements keep the configuration's order; the others stand among them where they stood before. */
    private static ArrayNode lists(MergeSchema schema, ArrayNode live, ArrayNode configuration) {
        Map<String, JsonNode> applied = byName(schema, configuration);
        Map<String, JsonNode> present = byName(schema, live);
        List<String> order = List.copyOf(applied.keySet());
        List<String> names = new ArrayList<>();
        int next = 0;
        for (String name : present.keySet()) {
            int wanted = order.indexOf(name);
            if (wanted < 0) {
                names.add(name);
            } else if (wanted >= next) {
                names.addAll(order.subList(next, wanted + 1));
                next = wanted + 1;
            }
        }
        names.addAll(order.subList(next, order.size()));
        ArrayNode merged = Json.array();
        names.forEach(name -> merged.add(element(schema, present, applied, name)));
        return merged;
    }

    private static Map<String, JsonNode> byName(MergeSchema schema, ArrayNode list) {
        Map<String, JsonNode> named = new LinkedHashMap<>();
        list.forEach(element -> named.put(PathElements.name(schema, element), element));
        return named;
    }

    private static JsonNode element(
            MergeSchema schema, Map<String, JsonNode> present, Map<String, JsonNode> applied, String name) {
        JsonNode former = present.get(name);
        JsonNode element = applied.get(name);
        if (former == null) {
            return Objects.requireNonNull(element).deepCopy();
        }
        return element == null ? former.deepCopy() : merge(schema.element(), former, element);
    }
}
