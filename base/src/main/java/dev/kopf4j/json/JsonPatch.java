package dev.kopf4j.json;

import java.io.Serial;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.ObjectNode;

/** Makes JSON patches (RFC 6902), and applies them as an API server does. Pure functions. */
public final class JsonPatch {
    /** What all copies of a patch may have together; {@code JSONPatchMaxCopyBytes} of the apiserver library, v1.33. */
    private static final long COPIED_BYTES_MAX = 3 << 20;

    private JsonPatch() {}

    /**
     * Returns the operations ({@code add}, {@code replace}, {@code remove}) that turn one document into the other; none
     * if they are the same. Lists keep their common beginning and end, so that one element more or less is one
     * operation.
     */
    public static ArrayNode diff(JsonNode from, JsonNode to) {
        return new JsonPatchWriter().write(from, to);
    }

    /** A patch that cannot be applied to the document. */
    public static final class Failed extends RuntimeException {
        @Serial
        private static final long serialVersionUID = 1L;

        Failed(String message) {
            super(message, null, false, false);
        }
    }

    /**
     * The document after all operations, as the library that Kubernetes uses (evanphx/json-patch) applies them; the
     * given one is not changed.
     *
     * @param kept what becomes of a value when it is stored
     * @throws Failed if one of them cannot be applied
     */
    public static JsonNode apply(JsonNode document, ArrayNode operations, UnaryOperator<JsonNode> kept) {
        JsonNode result = document.deepCopy();
        long copied = 0;
        for (JsonNode operation : operations) {
            if (operation.path("op").stringValue("").equals("copy")) {
                JsonNode copy = copied(result, pointer(operation, "from"));
                copied += Json.text(copy).getBytes(StandardCharsets.UTF_8).length;
                if (copied > COPIED_BYTES_MAX) {
                    throw new Failed("Unable to complete the copy, the accumulated size increase of copy is " + copied
                            + ", exceeding the limit " + COPIED_BYTES_MAX);
                }
                result = add(result, pointer(operation, "path"), copy);
            } else {
                result = step(result, operation, kept);
            }
        }
        return result;
    }

    private static JsonNode step(JsonNode document, JsonNode operation, UnaryOperator<JsonNode> kept) {
        String path = pointer(operation, "path");
        return switch (operation.path("op").stringValue("")) {
            case "add" -> add(document, path, value(operation, kept).deepCopy());
            case "remove" -> remove(document, path);
            case "replace" -> replace(document, path, value(operation, kept).deepCopy());
            case "move" -> {
                String from = pointer(operation, "from");
                JsonNode moved = get(document, from);
                yield add(remove(document, from), path, moved);
            }
            case "test" -> {
                test(document, path, operation.path("value"));
                yield document;
            }
            default -> throw new Failed("unknown operation " + Json.text(operation.path("op")));
        };
    }

    /** A key of an object that is missing is copied as null. */
    private static JsonNode copied(JsonNode document, String from) {
        boolean element = holder(document, from) instanceof ArrayNode;
        JsonNode found = element ? get(document, from) : find(document, from);
        return found == null ? NullNode.getInstance() : found.deepCopy();
    }

    /** The library takes whatever is in front of the first slash for nothing. */
    private static String pointer(JsonNode operation, String name) {
        String path = text(operation, name);
        int slash = path.indexOf('/');
        return slash <= 0 ? path : path.substring(slash);
    }

    private static String text(JsonNode operation, String name) {
        JsonNode text = operation.path(name);
        if (!text.isString()) {
            throw new Failed("operation without " + name + ": " + Json.text(operation));
        }
        return text.stringValue();
    }

    /** The library takes a value that is missing for null. */
    private static JsonNode value(JsonNode operation, UnaryOperator<JsonNode> kept) {
        JsonNode value = operation.get("value");
        return value == null ? NullNode.getInstance() : kept.apply(value);
    }

    private static void test(JsonNode document, String path, JsonNode expected) {
        JsonNode found = find(document, path);
        boolean nothing = expected.isMissingNode() || expected.isNull();
        boolean same = found == null ? nothing : nothing ? found.isNull() : same(found, expected);
        if (!same) {
            throw new Failed("testing value " + path + " failed");
        }
    }

    /** The library compares numbers as they are written: 1.0 is not the 1 that is kept. */
    private static boolean same(JsonNode found, JsonNode expected) {
        boolean writtenAlike = !found.isNumber() || found.isIntegralNumber() == expected.isIntegralNumber();
        return writtenAlike && JsonEquality.same(found, expected);
    }

    private static JsonNode get(JsonNode document, String path) {
        JsonNode found = find(document, path);
        if (found == null) {
            throw new Failed("nothing at " + path);
        }
        return found;
    }

    private static @Nullable JsonNode find(JsonNode document, String path) {
        JsonNode found = document;
        for (String token : tokens(path)) {
            found = switch (found) {
                case ObjectNode object -> object.get(token);
                case ArrayNode array -> array.get(index(token, array.size()));
                default -> null;
            };
            if (found == null) {
                return null;
            }
        }
        return found;
    }

    /** The object or array that holds what a path names; the whole document is in none. */
    private static JsonNode holder(JsonNode document, String path) {
        JsonNode holder = get(document, parent(path));
        if (!holder.isContainer()) {
            throw new Failed("no object or array above " + path);
        }
        return holder;
    }

    private static JsonNode add(JsonNode document, String path, JsonNode value) {
        String token = last(path);
        if (holder(document, path) instanceof ArrayNode array) {
            int index = token.equals("-") ? array.size() : index(token, array.size() + 1);
            if (index < 0 || index > array.size()) {
                throw new Failed("index out of range at " + path);
            }
            array.insert(index, value);
        } else {
            ((ObjectNode) holder(document, path)).set(token, value);
        }
        return document;
    }

    private static JsonNode remove(JsonNode document, String path) {
        get(document, path);
        if (holder(document, path) instanceof ArrayNode array) {
            array.remove(index(last(path), array.size()));
        } else {
            ((ObjectNode) holder(document, path)).remove(last(path));
        }
        return document;
    }

    /** A key of an object that is missing is added, against the RFC; an element of an array must be there. */
    private static JsonNode replace(JsonNode document, String path, JsonNode value) {
        if (path.isEmpty()) {
            return value;
        }
        if (holder(document, path) instanceof ArrayNode array) {
            get(document, path);
            array.set(index(last(path), array.size()), value);
        } else {
            ((ObjectNode) holder(document, path)).set(last(path), value);
        }
        return document;
    }

    private static int index(String token, int size) {
        if (!token.matches("[-+]?[0-9]{1,9}")) {
            throw new Failed("no index: " + token);
        }
        int index = Integer.parseInt(token);
        // The library that Kubernetes uses counts negative indices from the end.
        return index < 0 ? index + size : index;
    }

    private static String[] tokens(String path) {
        if (path.isEmpty()) {
            return new String[0];
        }
        if (!path.startsWith("/")) {
            throw new Failed("not a JSON pointer: " + path);
        }
        String[] tokens = path.substring(1).split("/", -1);
        for (int index = 0; index < tokens.length; index++) {
            tokens[index] = unescape(tokens[index]);
        }
        return tokens;
    }

    private static String parent(String path) {
        int slash = path.lastIndexOf('/');
        if (slash < 0) {
            throw new Failed("not a JSON pointer: " + path);
        }
        return path.substring(0, slash);
    }

    private static String last(String path) {
        return unescape(path.substring(path.lastIndexOf('/') + 1));
    }

    private static String unescape(String token) {
        return token.replace("~1", "/").replace("~0", "~");
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
            } else if (!JsonEquality.same(from, to)) {
                operation("replace", path, to);
            }
        }

        private void compareObjects(String path, JsonNode from, JsonNode to) {
            for (String key : from.propertyNames()) {
                if (!to.has(key)) {
                    operation("remove", child(path, key), null);
                }
            }
            for (Map.Entry<String, JsonNode> entry : to.properties()) {
                JsonNode before = from.get(entry.getKey());
                if (before == null) {
                    operation("add", child(path, entry.getKey()), entry.getValue());
                } else {
                    compare(child(path, entry.getKey()), before, entry.getValue());
                }
            }
        }

        private void compareArrays(String path, JsonNode from, JsonNode to) {
            int shorter = Math.min(from.size(), to.size());
            int head = 0;
            while (head < shorter && JsonEquality.same(from.get(head), to.get(head))) {
                head++;
            }
            int tail = 0;
            while (tail < shorter - head
                    && JsonEquality.same(from.get(from.size() - 1 - tail), to.get(to.size() - 1 - tail))) {
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

        private static String child(String path, String key) {
            return path + "/" + key.replace("~", "~0").replace("/", "~1");
        }
    }
}
