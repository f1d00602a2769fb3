package dev.kopf4j.persistence.conventions;

import dev.kopf4j.json.FieldPath;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * How large the annotations of an object would be. Immutable.
 *
 * @param object the object, for messages
 * @param bytes the size of the annotations
 * @param largest the largest fields of the essence, the largest first; none if the annotations fit
 */
public record AnnotationSizeReport(String object, long bytes, List<LargeField> largest) {
    private static final int FIELDS_NAMED_MAX = 3;

    /** Keeps an immutable copy of the list. */
    public AnnotationSizeReport {
        largest = List.copyOf(largest);
    }

    /**
     * A field of the essence.
     *
     * @param field the path of the field
     * @param bytes the length of its JSON
     */
    public record LargeField(FieldPath field, int bytes) {
        @Override
        public String toString() {
            return field + " (" + bytes + " bytes)";
        }
    }

    /** True if Kubernetes would refuse the annotations. */
    public boolean isExceeded() {
        return bytes > AnnotationSizeLimit.BYTES_MAX;
    }

    /** Says what is too big, and the way out. */
    public String message() {
        return "Annotations of " + object + " would take " + bytes + " bytes, and Kubernetes allows "
                + AnnotationSizeLimit.BYTES_MAX + ". The last handled state is stored there; its largest fields: "
                + largest.stream().map(LargeField::toString).collect(Collectors.joining(", "))
                + ". Leave out what no handler needs by ignoredFields, as in"
                + " settings.persistence().diffBaseStorage(DiffBaseStore.annotations().ignoring(\"spec.data\")), or"
                + " compress the state by withCompression(), where no Kopf has to read it.";
    }

    /** Returns the largest fields of an essence, the largest first. */
    static List<LargeField> largestFields(ObjectNode essence) {
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
