package dev.kopf4j.json;

import java.io.Serial;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Makes and applies JSON patches (RFC 6902).
 *
 * <p>Pure functions.
 */
public final class JsonPatch {
    private JsonPatch() {}

    /**
     * Returns the operations ({@code add}, {@code replace}, {@code remove}) that turn one document into the other; none
     * if they are the same. Lists keep their common beginning and end, so that one element more or less is one
     * operation.
     */
    public static ArrayNode diff(JsonNode from, JsonNode to) {
        return new JsonPatchWriter().write(from, to);
    }

    /**
     * Returns a new tree: the document with all operations applied in turn. All six kinds of operations are known.
     *
     * @throws JsonPatchException if one of them is impossible; then none is applied
     */
    public static JsonNode apply(JsonNode document, ArrayNode operations) {
        JsonPatchDocument target = new JsonPatchDocument(document.deepCopy());
        for (JsonNode operation : operations) {
            target.apply(operation);
        }
        return target.document();
    }

    /** A document to which the operations of a JSON patch are applied. Confined to one thread. */
    private static final class JsonPatchDocument {
        private JsonNode document;

        JsonPatchDocument(JsonNode document) {
            this.document = document;
        }

        JsonNode document() {
            return document;
        }

        void apply(JsonNode operation) {
            String path = pointer(operation, "path");
            switch (text(operation, "op")) {
                case "add" -> add(path, value(operation));
                case "remove" -> remove(path);
                case "replace" -> replace(path, value(operation));
                case "move" -> move(pointer(operation, "from"), path);
                case "copy" -> add(path, get(pointer(operation, "from")).deepCopy());
                case "test" -> test(path, value(operation));
                default ->
                    throw new JsonPatchException("unknown operation in a JSON patch: " + ValueExcerpt.of(operation));
            }
        }

        private void add(String path, JsonNode value) {
            if (path.isEmpty()) {
                document = value;
                return;
            }
            String key = JsonPointer.last(path);
            switch (get(JsonPointer.parent(path))) {
                case ObjectNode object -> object.set(key, value);
                case ArrayNode array ->
                    array.insert(key.equals("-") ? array.size() : JsonPointer.index(path, key, array.size()), value);
                default -> throw missing(path);
            }
        }

        private void remove(String path) {
            get(path);
            if (path.isEmpty()) {
                throw new JsonPatchException("a JSON patch cannot remove the whole document");
            }
            switch (get(JsonPointer.parent(path))) {
                case ObjectNode object -> object.remove(JsonPointer.last(path));
                case ArrayNode array -> array.remove(JsonPointer.index(path, JsonPointer.last(path), array.size() - 1));
                default -> throw missing(path);
            }
        }

        private void replace(String path, JsonNode value) {
            get(path);
            if (path.isEmpty()) {
                document = value;
                return;
            }
            switch (get(JsonPointer.parent(path))) {
                case ObjectNode object -> object.set(JsonPointer.last(path), value);
                case ArrayNode array ->
                    array.set(JsonPointer.index(path, JsonPointer.last(path), array.size() - 1), value);
                default -> throw missing(path);
            }
        }

        private void move(String from, String path) {
            if (path.startsWith(from + "/")) {
                throw new JsonPatchException("a JSON patch cannot move " + from + " into itself: " + path);
            }
            JsonNode moved = get(from);
            if (!path.equals(from)) {
                remove(from);
                add(path, moved);
            }
        }

        private void test(String path, JsonNode expected) {
            JsonNode found = get(path);
            if (!JsonEquality.identical(found, expected)) {
                throw new JsonPatchException("test failed in a JSON patch: " + path + " is expected to be "
                        + ValueExcerpt.of(expected) + ", but is " + ValueExcerpt.of(found));
            }
        }

        private JsonNode get(String path) {
            @Nullable JsonNode found = document;
            for (String key : JsonPointer.keys(path)) {
                found = switch (found) {
                    case ObjectNode object -> object.get(key);
                    case ArrayNode array -> array.get(JsonPointer.index(path, key, array.size() - 1));
                    case null, default -> null;
                };
                if (found == null) {
                    throw missing(path);
                }
            }
            return found;
        }

        private static String pointer(JsonNode operation, String field) {
            String path = text(operation, field);
            if (!path.isEmpty() && !path.startsWith("/")) {
                throw new JsonPatchException("a path in a JSON patch starts with a slash, but found: " + path);
            }
            return path;
        }

        private static String text(JsonNode operation, String field) {
            JsonNode value = operation.get(field);
            if (value == null || !value.isString()) {
                throw new JsonPatchException("an operation of a JSON patch needs the string \"" + field
                        + "\", but found " + ValueExcerpt.of(operation));
            }
            return value.stringValue();
        }

        private static JsonNode value(JsonNode operation) {
            JsonNode value = operation.get("value");
            if (value == null) {
                throw new JsonPatchException(
                        "an operation of a JSON patch needs a \"value\", but found " + ValueExcerpt.of(operation));
            }
            return value.deepCopy();
        }

        private static JsonPatchException missing(String path) {
            return new JsonPatchException("no such field for a JSON patch: " + path);
        }
    }

    /**
     * Collects the operations of one JSON patch. They are applied in turn, so each index counts what earlier operations
     * leave. Confined to one thread.
     */
    private static final class JsonPatchWriter {
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

    /** The paths of JSON patches: JSON pointers (RFC 6901). Pure. */
    private static final class JsonPointer {
        private JsonPointer() {}

        static List<String> keys(String path) {
            if (path.isEmpty()) {
                return List.of();
            }
            return Arrays.stream(path.substring(1).split("/", -1))
                    .map(JsonPointer::unescape)
                    .toList();
        }

        static String parent(String path) {
            return path.substring(0, Math.max(0, path.lastIndexOf('/')));
        }

        static String last(String path) {
            return unescape(path.substring(path.lastIndexOf('/') + 1));
        }

        /** Reads the index of a list; throws {@link JsonPatchException} if it is none, or greater than the maximum. */
        static int index(String path, String key, int max) {
            if (!key.matches("0|[1-9][0-9]{0,8}") || Integer.parseInt(key) > max) {
                throw new JsonPatchException("no such element for a JSON patch: " + path + "; the list ends at " + max);
            }
            return Integer.parseInt(key);
        }

        static String child(String path, String key) {
            return path + "/" + key.replace("~", "~0").replace("/", "~1");
        }

        private static String unescape(String key) {
            return key.replace("~1", "/").replace("~0", "~");
        }
    }

    /** A JSON patch cannot be applied: it is malformed, a path does not exist, or a test has failed. */
    public static class JsonPatchException extends RuntimeException {
        @Serial
        private static final long serialVersionUID = 1L;

        /** Names the operation and the reason. */
        public JsonPatchException(String message) {
            super(message);
        }
    }
}
