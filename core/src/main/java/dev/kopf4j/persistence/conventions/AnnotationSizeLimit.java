package dev.kopf4j.persistence.conventions;

import dev.kopf4j.json.FieldPath;
import dev.kopf4j.json.Json;
import dev.kopf4j.object.ObjectReference;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
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
        return isNearlyReached(body, NO_PATCH);
    }

    /** True if the annotations take more than four fifths of the limit as the patch would leave them. */
    public static boolean isNearlyReached(ObjectNode body, ObjectNode patch) {
        return annotationBytes(body, patch) > BYTES_MAX / 5 * 4;
    }

    /**
     * Why Kubernetes would refuse the annotations of the body as the patch would leave them, with the largest fields of
     * the essence, and the way out; null if it would not.
     */
    public static @Nullable String problem(ObjectNode body, ObjectNode patch, ObjectNode essence) {
        long bytes = annotationBytes(body, patch);
        return bytes <= BYTES_MAX
                ? null
                : "K4-021: Annotations of " + ObjectReference.of(body).describe() + " would take " + bytes
                        + " bytes, and Kubernetes allows " + BYTES_MAX
                        + ". The last handled state is stored there; its largest fields: "
                        + LargeField.largestOf(essence).stream()
                                .map(LargeField::toString)
                                .collect(Collectors.joining(", "))
                        + ". Leave out what no handler needs by ignoredFields, as in"
                        + " settings.persistence().diffBaseStorage(DiffBaseStorage.annotations().ignoring(\"spec.data\")), or"
                        + " compress the state by withCompression(), where no Kopf has to read it.";
    }

    static long annotationBytes(ObjectNode body, ObjectNode patch) {
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

    /**
     * A field of an essence.
     *
     * @param field the path of the field
     * @param bytes the length of its JSON
     */
    record LargeField(FieldPath field, int bytes) {
        private static final int FIELDS_NAMED_MAX = 3;

        @Override
        public String toString() {
            return field + " (" + bytes + " bytes)";
        }

        /** Returns the largest fields of an essence, the largest first. */
        static List<LargeField> largestOf(ObjectNode essence) {
            List<LargeField> fields = new ArrayList<>();
            for (Map.Entry<String, JsonNode> stanza : essence.properties()) {
                FieldPath path = FieldPath.of(stanza.getKey());
                if (stanza.getValue().isObject()) {
                    stanza.getValue().forEachEntry((key, value) -> fields.add(narrowed(path.append(key), value)));
                } else {
                    fields.add(field(path, stanza.getValue()));
                }
            }
            fields.sort(Comparator.comparingInt(LargeField::bytes).reversed());
            return fields.subList(0, Math.min(fields.size(), FIELDS_NAMED_MAX));
        }

        /** Goes down as long as one field takes most of its parent: that field is the reason. */
        private static LargeField narrowed(FieldPath path, JsonNode node) {
            LargeField whole = field(path, node);
            for (Map.Entry<String, JsonNode> entry : node.properties()) {
                if (2 * field(path, entry.getValue()).bytes() > whole.bytes()) {
                    return narrowed(path.append(entry.getKey()), entry.getValue());
                }
            }
            return whole;
        }

        private static LargeField field(FieldPath path, JsonNode node) {
            return new LargeField(path, PythonJson.text(node).length());
        }
    }
}
