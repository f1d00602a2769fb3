package dev.kopf4j.engine.conversion;

import dev.kopf4j.json.JsonEquality;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a conversion may change of an object's metadata: labels and annotations, and nothing else. Whatever else is
 * missing is restored, as the API server does it; what differs is refused, where the API server says nothing. The
 * framework's own annotations stay in any case: without them handlers would be called again.
 *
 * @see <a
 *     href="https://github.com/kubernetes/kubernetes/blob/v1.33.0/staging/src/k8s.io/apiextensions-apiserver/pkg/apiserver/conversion/webhook_converter.go">validateConvertedObject
 *     and restoreObjectMeta</a>
 */
final class ConvertedMetadata {
    private static final List<String> IDENTITY = List.of("name", "namespace", "uid");

    /** The server's own account of who has written what: nobody means to change it. */
    private static final String MANAGED_FIELDS = "managedFields";

    private ConvertedMetadata() {}

    /**
     * Gives a converted object the metadata that it is to have.
     *
     * @param original the object before
     * @param converted the object after; changed
     * @param prefix of the framework's own annotations
     * @throws ConversionFailure if the conversion has changed what it may not
     */
    static void restore(ObjectNode original, ObjectNode converted, String prefix) throws ConversionFailure {
        JsonNode given = converted.get("metadata");
        if (!(original.get("metadata") instanceof ObjectNode before)) {
            return;
        }
        if (given == null || given.isNull()) {
            converted.set("metadata", before.deepCopy());
            return;
        }
        if (!(given instanceof ObjectNode after)) {
            throw new ConversionFailure("metadata: it must be a mapping");
        }
        for (String field : IDENTITY) {
            if (before.hasNonNull(field) && !after.hasNonNull(field)) {
                throw refusal(field, "it has been removed");
            }
        }
        for (Map.Entry<String, JsonNode> field : after.properties()) {
            if (!isFree(field.getKey())) {
                checkSame(field.getKey(), before.get(field.getKey()), field.getValue());
            }
        }
        ObjectNode restored = before.deepCopy();
        ConvertedLabels.take("labels", before, after, restored, null);
        ConvertedLabels.take("annotations", before, after, restored, prefix + "/");
        converted.set("metadata", restored);
    }

    private static boolean isFree(String field) {
        return field.equals("labels") || field.equals("annotations") || field.equals(MANAGED_FIELDS);
    }

    private static void checkSame(String field, @Nullable JsonNode before, JsonNode after) throws ConversionFailure {
        boolean nothing = before == null && after.isContainer() && after.isEmpty();
        if (!nothing && !JsonEquality.equal(before, after)) {
            throw refusal(
                    field,
                    after.isValueNode()
                            ? "it was " + shown(before) + " and has become " + shown(after)
                            : "it has been changed");
        }
    }

    private static String shown(@Nullable JsonNode value) {
        return value == null ? "absent" : "'" + value.asString("") + "'";
    }

    private static ConversionFailure refusal(String field, String what) {
        return new ConversionFailure("metadata." + field + ": " + what
                + ", but of the metadata, a conversion may change labels and annotations" + " only");
    }
}
