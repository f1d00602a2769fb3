package dev.kopf4j.json;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Orders the keys of objects by their names. Stateless. */
public final class SortedKeys {
    private SortedKeys() {}

    /** The same value with sorted keys at all levels, so that equal ones have equal texts. */
    public static JsonNode of(JsonNode node) {
        return switch (node) {
            case ObjectNode object -> {
                ObjectNode sorted = object.objectNode();
                ofTopLevel(object).forEachEntry((key, value) -> sorted.set(key, of(value)));
                yield sorted;
            }
            case ArrayNode array -> {
                ArrayNode sorted = array.arrayNode(array.size());
                array.forEach(element -> sorted.add(of(element)));
                yield sorted;
            }
            default -> node;
        };
    }

    /** The same object with its own keys sorted; the values are shared. */
    static ObjectNode ofTopLevel(ObjectNode object) {
        ObjectNode sorted = object.objectNode();
        object.propertyNames().stream().sorted().forEach(key -> sorted.set(key, object.path(key)));
        return sorted;
    }
}
