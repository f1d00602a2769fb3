package dev.kopf4j.engine.conversion;

import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonEquality;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
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
 * @see <a href="https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/">syntax of labels</a>
 */
final class ConvertedMetadata {
    private static final List<String> IDENTITY = List.of("name", "namespace", "uid");

    /** The server's own account of who has written what: nobody means to change it. */
    private static final String MANAGED_FIELDS = "managedFields";

    private static final String WORD = "[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?";
    private static final Pattern KEY =
            Pattern.compile("((?=.{1,253}/)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?" + WORD);
    private static final Pattern LABEL_VALUE = Pattern.compile("(" + WORD + ")?");
    private static final int ANNOTATIONS_BYTES_MAX = 256 * 1024;

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
        take("labels", before, after, restored, null);
        take("annotations", before, after, restored, prefix + "/");
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

    /**
     * Takes what a conversion has made of labels or annotations: the API server looks at them again if they have
     * changed.
     *
     * @param field {@code labels} or {@code annotations}
     * @param before the metadata before
     * @param after the metadata after
     * @param taken gets them
     * @param kept the beginning of keys that stay in any case; null for none
     */
    private static void take(String field, ObjectNode before, ObjectNode after, ObjectNode taken, @Nullable String kept)
            throws ConversionFailure {
        ObjectNode made = made(field, after.get(field));
        if (kept != null && before.get(field) instanceof ObjectNode old) {
            old.properties().stream()
                    .filter(entry -> entry.getKey().startsWith(kept))
                    .forEach(entry -> made.set(entry.getKey(), entry.getValue()));
        }
        if (!JsonEquality.equal(made, before.get(field))) {
            checkSyntax(field, made);
        }
        taken.remove(field);
        if (!made.isEmpty()) {
            taken.set(field, made);
        }
    }

    private static ObjectNode made(String field, @Nullable JsonNode given) throws ConversionFailure {
        if (given == null || given.isNull()) {
            return Json.object();
        }
        if (given instanceof ObjectNode object) {
            return object.deepCopy();
        }
        throw new ConversionFailure("metadata." + field + ": they must be a mapping of text to text");
    }

    private static void checkSyntax(String field, ObjectNode made) throws ConversionFailure {
        int bytes = 0;
        boolean labels = field.equals("labels");
        for (Map.Entry<String, JsonNode> entry : made.properties()) {
            String key = entry.getKey();
            String at = "metadata." + field + "[" + key + "]: ";
            if (!entry.getValue().isString()) {
                throw new ConversionFailure(at + "the value must be text");
            }
            String value = entry.getValue().asString("");
            if (!KEY.matcher(labels ? key : key.toLowerCase(Locale.ROOT)).matches()) {
                throw new ConversionFailure(at + "the API server does not take such a key; see the syntax of labels");
            }
            if (labels && !LABEL_VALUE.matcher(value).matches()) {
                throw new ConversionFailure(at + "the API server does not take the value '" + value
                        + "'; labels have at most 63 letters, digits, '-', '_' and '.'");
            }
            bytes += key.getBytes(StandardCharsets.UTF_8).length + value.getBytes(StandardCharsets.UTF_8).length;
        }
        if (!labels && bytes > ANNOTATIONS_BYTES_MAX) {
            throw new ConversionFailure("metadata.annotations: they have " + bytes + " bytes; the API server takes "
                    + ANNOTATIONS_BYTES_MAX);
        }
    }
}
