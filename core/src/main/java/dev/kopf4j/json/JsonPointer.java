package dev.kopf4j.json;

import java.util.Arrays;
import java.util.List;

/** The paths of JSON patches: JSON pointers (RFC 6901). Pure. */
final class JsonPointer {
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
