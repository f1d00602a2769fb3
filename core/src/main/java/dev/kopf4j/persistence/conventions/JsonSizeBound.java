package dev.kopf4j.persistence.conventions;

import java.util.Map;
import tools.jackson.databind.JsonNode;

/** An upper bound for the size of a tree's JSON, found without writing it. Pure. */
final class JsonSizeBound {
    /** A flag, a null, or a number of 64 bits. */
    private static final int SHORT_BYTES_MAX = 24;

    private JsonSizeBound() {}

    /**
     * Returns a number of bytes that the JSON does not exceed; {@code unknown} counts for each rare number of any
     * length.
     */
    static long of(JsonNode node, long unknown) {
        if (node.isString()) {
            return ofText(node.stringValue());
        }
        if (node.isObject()) {
            long bytes = 2;
            for (Map.Entry<String, JsonNode> entry : node.properties()) {
                bytes += ofText(entry.getKey()) + 2 + of(entry.getValue(), unknown);
            }
            return bytes;
        }
        if (node.isArray()) {
            long bytes = 2;
            for (JsonNode element : node.values()) {
                bytes += of(element, unknown) + 1;
            }
            return bytes;
        }
        boolean isShort = node.isInt() || node.isLong() || node.isDouble() || node.isBoolean() || node.isNull();
        return isShort ? SHORT_BYTES_MAX : unknown;
    }

    /** A character takes six bytes if it is escaped, and three at most if it is not. */
    static long ofText(String text) {
        return 2 + 6L * text.length();
    }
}
