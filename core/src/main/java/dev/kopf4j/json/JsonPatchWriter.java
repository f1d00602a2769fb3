package dev.kopf4j.json;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Collects the operations of one JSON patch. They are applied in turn, so each index counts what earlier operations
 * leave. Confined to one thread.
 */
final class JsonPatchWriter {
    private final ArrayNode operations = JsonNodeFactory.instance.arrayNode();

    ArrayNode write(JsonNode from, JsonNode to) {
        compare("", from, to);
        return operations;
    }

    private void compare(String path, JsonNode from, JsonNode to) {
        if (from.isObject() && to.isObject()) {
            compareObjects(path, from, to);
        } else if (from.isArray() && to.isArray()) {
            compareArrays(path, from, to);
        } else if (!JsonEquality.identical(from, to)) {
            operation("replace", path, to);
        }
    }

    private void compareObjects(String path, JsonNode from, JsonNode to) {
        for (String key : from.propertyNames()) {
            if (!to.has(key)) {
                operation("remove", JsonPointer.child(path, key), null);
            }
        }
        for (Map.Entry<String, JsonNode> entry : to.properties()) {
            JsonNode before = from.get(entry.getKey());
            if (before == null) {
                operation("add", JsonPointer.child(path, entry.getKey()), entry.getValue());
            } else {
                compare(JsonPointer.child(path, entry.getKey()), before, entry.getValue());
            }
        }
    }

    private void compareArrays(String path, JsonNode from, JsonNode to) {
        int shorter = Math.min(from.size(), to.size());
        int head = 0;
        while (head < shorter && JsonEquality.identical(from.get(head), to.get(head))) {
            head++;
        }
        int tail = 0;
        while (tail < shorter - head
                && JsonEquality.identical(from.get(from.size() - 1 - tail), to.get(to.size() - 1 - tail))) {
            tail++;
        }
        compareMiddles(path, from, to, head, tail);
    }

    private void compareMiddles(String path, JsonNode from, JsonNode to, int head, int tail) {
        int fromEnd = from.size() - tail;
        int toEnd = to.size() - tail;
        int pairsEnd = Math.min(fromEnd, toEnd);
        for (int index = head; index < pairsEnd; index++) {
            compare(path + "/" + index, from.get(index), to.get(index));
        }
        for (int index = fromEnd - 1; index >= pairsEnd; index--) {
            operation("remove", path + "/" + index, null);
        }
        for (int index = pairsEnd; index < toEnd; index++) {
            operation("add", path + "/" + index, to.get(index));
        }
    }

    private void operation(String op, String path, @Nullable JsonNode value) {
        ObjectNode operation = operations.addObject().put("op", op).put("path", path);
        if (value != null) {
            operation.set("value", value.deepCopy());
        }
    }
}
