package dev.kopf4j.json;

import java.util.Arrays;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The order of keys in which API servers show custom resources: they are maps there, and Go's {@code encoding/json}
 * sorts the keys of maps, at all levels. Built-in kinds are structures, whose fields have an order of their own. Equal
 * values have equal texts so. Stateless.
 */
@SuppressWarnings("ReferenceEquality") // a part that is the same object was sorted already
public final class SortedKeys {
    private SortedKeys() {}

    /** The same object with sorted keys. What is sorted already is not copied; the given tree is not changed. */
    public static ObjectNode of(ObjectNode object) {
        ObjectNode sorted = Json.object();
        boolean same = true;
        String last = "";
        for (Map.Entry<String, JsonNode> field : object.properties()) {
            JsonNode value = valueOf(field.getValue());
            same &= value == field.getValue() && last.compareTo(field.getKey()) <= 0;
            last = field.getKey();
            sorted.set(field.getKey(), value);
        }
        return same ? object : ofTopLevel(sorted);
    }

    /** The same object with its own keys sorted; the values are shared. */
    public static ObjectNode ofTopLevel(ObjectNode object) {
        String[] keys = object.propertyNames().toArray(new String[0]);
        Arrays.sort(keys);
        ObjectNode sorted = Json.object();
        for (String key : keys) {
            sorted.set(key, object.get(key));
        }
        return sorted;
    }

    /** The same for any value. */
    public static JsonNode valueOf(JsonNode value) {
        return switch (value) {
            case ObjectNode object -> of(object);
            case ArrayNode array -> elementsOf(array);
            default -> value;
        };
    }

    private static ArrayNode elementsOf(ArrayNode array) {
        ArrayNode sorted = array.arrayNode(array.size());
        boolean same = true;
        for (JsonNode element : array) {
            JsonNode value = valueOf(element);
            same &= value == element;
            sorted.add(value);
        }
        return same ? array : sorted;
    }
}
