package dev.kopf4j.devcluster.patch;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.json.JsonEquality;
import java.io.Serial;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.ObjectNode;

/** JSON patches (RFC 6902), as the library that Kubernetes uses (evanphx/json-patch) applies them. */
public final class JsonPatch {
    private JsonPatch() {}

    /** A patch that cannot be applied to the document. */
    public static final class Failed extends RuntimeException {
        @Serial
        private static final long serialVersionUID = 1L;

        Failed(String message) {
            super(message, null, false, false);
        }
    }

    /** The document after all operations; {@link Failed} if one of them cannot be applied. */
    public static JsonNode apply(JsonNode document, ArrayNode operations) {
        JsonNode result = document.deepCopy();
        for (JsonNode operation : operations) {
            result = step(result, operation);
        }
        return result;
    }

    private static JsonNode step(JsonNode document, JsonNode operation) {
        String path = pointer(operation, "path");
        return switch (Json.string(operation, "op")) {
            case "add" -> add(document, path, value(operation).deepCopy());
            case "remove" -> remove(document, path);
            case "replace" -> replace(document, path, value(operation).deepCopy());
            case "move" -> {
                String from = pointer(operation, "from");
                JsonNode moved = get(document, from);
                yield add(remove(document, from), path, moved);
            }
            case "copy" -> add(document, path, copied(document, pointer(operation, "from")));
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
    private static JsonNode value(JsonNode operation) {
        JsonNode value = operation.get("value");
        return value == null ? NullNode.getInstance() : Json.kept(value);
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
}
