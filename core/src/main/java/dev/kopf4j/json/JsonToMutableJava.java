package dev.kopf4j.json;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Turns trees into maps and lists that may be changed. Pure. */
final class JsonToMutableJava {
    private JsonToMutableJava() {}

    static Map<String, @Nullable Object> map(ObjectNode node) {
        Map<String, @Nullable Object> map = LinkedHashMap.newLinkedHashMap(node.size());
        node.forEachEntry((key, value) -> map.put(key, of(value)));
        return map;
    }

    private static @Nullable Object of(JsonNode node) {
        return switch (node) {
            case ObjectNode object -> map(object);
            case ArrayNode array -> {
                List<@Nullable Object> list = new ArrayList<>(array.size());
                array.forEach(element -> list.add(of(element)));
                yield list;
            }
            default -> JsonToJava.of(node);
        };
    }
}
