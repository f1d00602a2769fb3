package dev.kopf4j.json;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Turns trees into immutable maps and lists. It does not use {@code Map.copyOf}, because JSON has nulls, and the order
 * must stay. Pure.
 */
final class JsonToJava {
    private JsonToJava() {}

    static @Nullable Object of(@Nullable JsonNode node) {
        if (node == null) {
            return null;
        }
        return switch (node.getNodeType()) {
            case OBJECT -> map(node);
            case ARRAY -> list(node);
            case BOOLEAN -> node.booleanValue();
            case NUMBER -> node.numberValue();
            case STRING, BINARY, POJO -> node.asString();
            case MISSING, NULL -> null;
        };
    }

    private static Map<String, @Nullable Object> map(JsonNode node) {
        Map<String, @Nullable Object> map = LinkedHashMap.newLinkedHashMap(node.size());
        node.forEachEntry((key, value) -> map.put(key, of(value)));
        return Collections.unmodifiableMap(map);
    }

    private static List<@Nullable Object> list(JsonNode node) {
        List<@Nullable Object> list = new ArrayList<>(node.size());
        for (JsonNode item : node) {
            list.add(of(item));
        }
        return Collections.unmodifiableList(list);
    }
}
