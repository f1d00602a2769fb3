package dev.kopf4j.engine.conversion;

import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonEquality;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The labels or annotations of a converted object: the API server looks at them again if they have changed. Pure.
 *
 * @see <a href="https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/">syntax of labels</a>
 */
final class ConvertedLabels {
    private static final String WORD = "[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?";
    private static final Pattern KEY =
            Pattern.compile("((?=.{1,253}/)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?" + WORD);
    private static final Pattern LABEL_VALUE = Pattern.compile("(" + WORD + ")?");
    private static final int ANNOTATIONS_BYTES_MAX = 256 * 1024;

    private ConvertedLabels() {}

    /**
     * Takes what a conversion has made of them.
     *
     * @param field {@code labels} or {@code annotations}
     * @param before the metadata before
     * @param after the metadata after
     * @param taken gets them
     * @param kept the beginning of keys that stay in any case; null for none
     */
    static void take(String field, ObjectNode before, ObjectNode after, ObjectNode taken, @Nullable String kept)
            throws ConversionFailure {
        ObjectNode made = made(field, after.get(field));
        if (kept != null && before.get(field) instanceof ObjectNode old) {
            old.properties().stream()
                    .filter(entry -> entry.getKey().startsWith(kept))
                    .forEach(entry -> made.set(entry.getKey(), entry.getValue()));
        }
        if (!JsonEquality.equal(made, before.get(field))) {
            check(field, made);
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

    private static void check(String field, ObjectNode made) throws ConversionFailure {
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
