package dev.kopf4j.persistence;

import dev.kopf4j.json.FieldPath;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonConversionException;
import java.util.Objects;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/**
 * Keeps JSON texts in annotations: each record under the newer and the older name, marked as a Kopf-like operator's.
 */
final class AnnotationRecords {
    private final AnnotationKeys keys;
    private final BrokenState broken;

    AnnotationRecords(AnnotationKeys keys, BrokenState broken) {
        this.keys = keys;
        this.broken = broken;
    }

    AnnotationKeys keys() {
        return keys;
    }

    /** Answers the first record that is there and can be read; the decoder gets its JSON and its annotation. */
    <T> @Nullable T read(String key, ObjectNode body, BiFunction<JsonNode, String, @Nullable T> decoder) {
        for (String annotation : keys.keys(key, body)) {
            JsonNode json = parse(annotation, body);
            T decoded = json == null || json.isNull() ? null : decoder.apply(json, annotation);
            if (decoded != null) {
                return decoded;
            }
        }
        return null;
    }

    void write(String key, String text, ObjectNode body, ObjectNode patch) {
        for (String annotation : keys.keys(key, body)) {
            AnnotationKeys.field(annotation).ensure(patch, StringNode.valueOf(text));
        }
        OperatorMarker.store(keys.prefix(), body, patch);
    }

    void purge(String key, ObjectNode body, ObjectNode patch) {
        for (String annotation : keys.keys(key, body)) {
            purge(AnnotationKeys.field(annotation), body, patch);
        }
    }

    void touch(String key, ObjectNode body, ObjectNode patch, @Nullable String value) {
        for (String annotation : keys.keys(key, body)) {
            if (touch(AnnotationKeys.field(annotation), body, patch, value)) {
                OperatorMarker.store(keys.prefix(), body, patch);
            }
        }
    }

    /** Deletes by a null what the object has; what only the patch would bring just leaves the patch. */
    static void purge(FieldPath field, ObjectNode body, ObjectNode patch) {
        if (field.isPresentIn(body)) {
            field.ensure(patch, NullNode.getInstance());
        } else if (field.isPresentIn(patch)) {
            field.remove(patch);
        }
    }

    /** Patches the field if the object has another value; tells whether it did. */
    static boolean touch(FieldPath field, ObjectNode body, ObjectNode patch, @Nullable String value) {
        JsonNode present = field.resolve(body);
        if (Objects.equals(value, present == null ? null : present.asString(""))) {
            return false;
        }
        field.ensure(patch, value == null ? NullNode.getInstance() : StringNode.valueOf(value));
        return true;
    }

    private @Nullable JsonNode parse(String annotation, ObjectNode body) {
        JsonNode text = AnnotationKeys.field(annotation).resolve(body);
        if (text == null) {
            return null;
        }
        try {
            return Json.parse(text.asString(""));
        } catch (JsonConversionException e) {
            broken.found(body, "annotation " + annotation, String.valueOf(e.getMessage()));
            return null;
        }
    }
}
