package dev.kopf4j.persistence.conventions;

import dev.kopf4j.json.Json;
import dev.kopf4j.object.ObjectReference;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Checks, before any handler runs, whether the annotations would exceed the size that Kubernetes accepts. Pure. */
public final class AnnotationSizeLimit {
    /**
     * The limit for all keys and values of an object's annotations, in UTF-8: {@code TotalAnnotationSizeLimitB} in
     * apimachinery.
     */
    public static final int BYTES_MAX = 256 * 1024;

    /** The marker of a Kopf-like operator: a name behind the prefix, and a word. */
    private static final int MARK_BYTES_MAX = 64;

    private static final ObjectNode NO_PATCH = Json.object();

    private AnnotationSizeLimit() {}

    /**
     * True if there is certainly room for records of the essence, as there is for nearly all objects. Found by an upper
     * bound, without writing the essence.
     *
     * @param annotations the annotations that get the essence, each with a line break at its end
     */
    public static boolean hasAmpleRoom(ObjectNode body, List<String> annotations, ObjectNode essence) {
        long bytes = annotationBytes(body, NO_PATCH);
        long record = JsonSizeBound.of(essence, BYTES_MAX) + 1;
        for (String annotation : annotations) {
            // The marker of the operator has the same prefix.
            bytes += 2 * JsonSizeBound.ofText(annotation) + MARK_BYTES_MAX + record;
        }
        return bytes <= BYTES_MAX;
    }

    /** True if the annotations take more than four fifths of the limit. */
    public static boolean isNearlyReached(ObjectNode body) {
        return annotationBytes(body, NO_PATCH) > BYTES_MAX / 5 * 4;
    }

    /**
     * Measures the annotations of the body as the patch would leave them, and finds the largest fields of the essence.
     */
    public static AnnotationSizeReport check(ObjectNode body, ObjectNode patch, ObjectNode essence) {
        long bytes = annotationBytes(body, patch);
        return new AnnotationSizeReport(
                ObjectReference.of(body).describe(),
                bytes,
                bytes > BYTES_MAX ? AnnotationSizeReport.largestFields(essence) : List.of());
    }

    private static long annotationBytes(ObjectNode body, ObjectNode patch) {
        JsonNode present = body.path("metadata").path("annotations");
        JsonNode patched = patch.path("metadata").path("annotations");
        long bytes = 0;
        for (Map.Entry<String, JsonNode> entry : present.properties()) {
            bytes += patched.has(entry.getKey()) ? 0 : entryBytes(entry);
        }
        for (Map.Entry<String, JsonNode> entry : patched.properties()) {
            bytes += entry.getValue().isNull() ? 0 : entryBytes(entry);
        }
        return bytes;
    }

    private static long entryBytes(Map.Entry<String, JsonNode> entry) {
        return utf8Bytes(entry.getKey()) + utf8Bytes(entry.getValue().asString(""));
    }

    private static long utf8Bytes(String text) {
        long bytes = 0;
        int code;
        for (int i = 0; i < text.length(); i += Character.charCount(code)) {
            code = text.codePointAt(i);
            bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
        }
        return bytes;
    }

    /** An upper bound for the size of a tree's JSON, found without writing it. Pure. */
    private static final class JsonSizeBound {
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
}
