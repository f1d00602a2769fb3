package dev.kopf4j.persistence.conventions;

import dev.kopf4j.json.FieldPath;
import dev.kopf4j.json.Json;
import dev.kopf4j.object.ObjectReference;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Tells before any handler runs whether Kubernetes would refuse a patch since the object's annotations grow too big.
 *
 * <p>Stateless.
 */
public final class AnnotationSizeLimit {
    /** All keys and values of an object's annotations, in UTF-8: {@code TotalAnnotationSizeLimitB} in apimachinery. */
    public static final int BYTES_MAX = 256 * 1024;

    private static final int FIELDS_NAMED_MAX = 3;

    /** The mark of a Kopf-like operator: a name behind the prefix, and a word. */
    private static final int MARK_BYTES_MAX = 64;

    /** A flag, a null, or a number of 64 bits. */
    private static final int SHORT_BYTES_MAX = 24;

    private static final ObjectNode NO_PATCH = Json.object();

    private AnnotationSizeLimit() {}

    /**
     * What came out.
     *
     * @param object the object, for people
     * @param bytes what the annotations would take
     * @param largest the largest fields of the essence, the largest first; none if the annotations fit
     */
    public record SizeReport(String object, long bytes, List<LargeField> largest) {
        /** Keeps an immutable copy of the list. */
        public SizeReport {
            largest = List.copyOf(largest);
        }

        /** Tells whether Kubernetes would refuse the annotations. */
        public boolean isExceeded() {
            return bytes > BYTES_MAX;
        }

        /** Says for people what is too big, and the way out. */
        public String message() {
            return "Annotations of " + object + " would take " + bytes + " bytes, and Kubernetes allows " + BYTES_MAX
                    + ". The last handled state is stored there; its largest fields: "
                    + largest.stream().map(LargeField::toString).collect(Collectors.joining(", "))
                    + ". Leave out what no handler needs by ignoredFields, as in"
                    + " settings.persistence().diffBaseStorage(DiffBaseStore.annotations().ignoring(\"spec.data\")), or"
                    + " compress the state by withCompression(), where no Kopf has to read it.";
        }
    }

    /**
     * A field of the essence.
     *
     * @param field where it is
     * @param bytes how long its JSON is
     */
    public record LargeField(FieldPath field, int bytes) {
        @Override
        public String toString() {
            return field + " (" + bytes + " bytes)";
        }
    }

    /**
     * True if there is room for records of the essence for sure, as there is for nearly all objects: told without
     * writing the essence, by the most that it could take.
     *
     * @param annotations which annotations have the essence, with a line break at its end
     */
    public static boolean hasAmpleRoom(ObjectNode body, List<String> annotations, ObjectNode essence) {
        long bytes = annotationBytes(body, NO_PATCH);
        long record = jsonBytesMax(essence) + 1;
        for (String annotation : annotations) {
            // The mark of the operator has the same prefix.
            bytes += 2 * textBytesMax(annotation) + MARK_BYTES_MAX + record;
        }
        return bytes <= BYTES_MAX;
    }

    /** No JSON of it is longer: a character takes six bytes if it is escaped, three if it is not. */
    private static long jsonBytesMax(JsonNode node) {
        if (node.isString()) {
            return textBytesMax(node.stringValue());
        }
        if (node.isObject()) {
            long bytes = 2;
            for (Map.Entry<String, JsonNode> entry : node.properties()) {
                bytes += textBytesMax(entry.getKey()) + 2 + jsonBytesMax(entry.getValue());
            }
            return bytes;
        }
        if (node.isArray()) {
            long bytes = 2;
            for (JsonNode element : node.values()) {
                bytes += jsonBytesMax(element) + 1;
            }
            return bytes;
        }
        boolean isShort = node.isInt() || node.isLong() || node.isDouble() || node.isBoolean() || node.isNull();
        return isShort ? SHORT_BYTES_MAX : BYTES_MAX;
    }

    private static long textBytesMax(String text) {
        return 2 + 6L * text.length();
    }

    /** Measures the annotations of the body as the patch would leave them, and looks for the reasons in the essence. */
    public static SizeReport check(ObjectNode body, ObjectNode patch, ObjectNode essence) {
        long bytes = annotationBytes(body, patch);
        return new SizeReport(
                ObjectReference.of(body).describe(), bytes, bytes > BYTES_MAX ? largestFields(essence) : List.of());
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

    private static List<LargeField> largestFields(ObjectNode essence) {
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

    /** Goes down as long as one field makes most of its parent: that one is the reason. */
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
        return new LargeField(path, Json.bytes(node).length);
    }
}
