package dev.kopf4j.devcluster.json;

import java.util.Arrays;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The order of keys in which the server shows custom resources: they are maps there, and Go's {@code encoding/json}
 * sorts the keys of maps, at all levels. Built-in kinds are structures, whose fields have an order of their own.
 */
public final class SortedKeys {
    private SortedKeys() {}

    /** The same object with sorted keys; itself if they are sorted already. The given tree is not changed. */
    public static ObjectNode of(ObjectNode object) {
        return isSorted(object) ? object : sorted(object);
    }

    private static boolean isSorted(JsonNode node) {
        String last = "";
        if (node instanceof ObjectNode object) {
            for (Map.Entry<String, JsonNode> entry : object.properties()) {
                if (last.compareTo(entry.getKey()) > 0 || !isSorted(entry.getValue())) {
                    return false;
                }
                last = entry.getKey();
            }
        } else if (node instanceof ArrayNode array) {
            for (JsonNode element : array) {
                if (!isSorted(element)) {
                    return false;
                }
            }
        }
        return true;
    }

    private static ObjectNode sorted(ObjectNode object) {
        String[] keys = object.propertyNames().toArray(new String[0]);
        Arrays.sort(keys);
        ObjectNode sorted = Json.object();
        for (String key : keys) {
            sorted.set(key, sortedValue(object.get(key)));
        }
        return sorted;
    }

    private static JsonNode sortedValue(JsonNode value) {
        return switch (value) {
            case ObjectNode object -> sorted(object);
            case ArrayNode array -> {
                ArrayNode sorted = Json.array();
                array.forEach(element -> sorted.add(sortedValue(element)));
                yield sorted;
            }
            default -> value;
        };
    }
}
