package dev.kopf4j.devcluster.conversion;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.json.JsonEquality;
import dev.kopf4j.devcluster.selector.LabelSyntax;
import dev.kopf4j.devcluster.status.FieldError;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Gives a converted object the metadata of the original, except for labels and annotations, which a webhook may
 * convert: {@code restoreObjectMeta} in {@code pkg/apiserver/conversion/webhook_converter.go} of the
 * apiextensions-apiserver, v1.33. Pure.
 */
final class ConvertedMetadata {
    private static final int MAX_ANNOTATIONS = 256 * 1024;

    private ConvertedMetadata() {}

    static void restore(ObjectNode original, ObjectNode converted) throws ConversionFailed {
        JsonNode given = converted.get("metadata");
        if (given == null) {
            throw new ConversionFailed("missing metadata in converted object");
        }
        if (!given.isObject()) {
            throw new ConversionFailed("invalid metadata of type " + goType(given) + " in converted object");
        }
        ObjectNode restored = Json.child(original, "metadata").deepCopy();
        converted.set("metadata", restored);
        for (String field : List.of("labels", "annotations")) {
            restored.remove(field);
            if (given.hasNonNull(field)) {
                JsonNode before = original.path("metadata").get(field);
                restored.set(field, checked(field, given.get(field), before));
            }
        }
    }

    private static JsonNode checked(String field, JsonNode given, @Nullable JsonNode before) throws ConversionFailed {
        if (!given.isObject()) {
            throw new ConversionFailed(
                    "invalid metadata." + field + " of type " + goType(given) + " in converted object");
        }
        for (Map.Entry<String, JsonNode> entry : given.properties()) {
            if (!entry.getValue().isString()) {
                throw new ConversionFailed("metadata." + field + "[" + entry.getKey() + "] must be a string, but is "
                        + goType(entry.getValue()) + " in converted object");
            }
        }
        if (!JsonEquality.same(given, before)) {
            refuse(field.equals("labels") ? labelErrors(given) : annotationErrors(given));
        }
        return given;
    }

    private static void refuse(List<FieldError> errors) throws ConversionFailed {
        if (!errors.isEmpty()) {
            String text = errors.stream()
                    .map(error -> error.field() + ": " + error.message())
                    .distinct()
                    .collect(Collectors.joining(", "));
            throw new ConversionFailed(errors.size() == 1 ? text : "[" + text + "]");
        }
    }

    private static List<FieldError> labelErrors(JsonNode labels) {
        List<FieldError> errors = new ArrayList<>();
        for (Map.Entry<String, JsonNode> label : labels.properties()) {
            String value = label.getValue().stringValue();
            add(errors, "metadata.labels", label.getKey(), LabelSyntax.key(label.getKey()));
            add(errors, "metadata.labels", value, LabelSyntax.value(value));
        }
        return errors;
    }

    /** The field is called so by the server. */
    private static List<FieldError> annotationErrors(JsonNode annotations) {
        List<FieldError> errors = new ArrayList<>();
        int size = 0;
        for (Map.Entry<String, JsonNode> annotation : annotations.properties()) {
            String name = annotation.getKey();
            add(errors, "metadata.annotation", name, LabelSyntax.key(name.toLowerCase(Locale.ROOT)));
            size += bytes(name) + bytes(annotation.getValue().stringValue());
        }
        if (size > MAX_ANNOTATIONS) {
            errors.add(new FieldError(
                    FieldError.Type.TOO_LONG,
                    "Too long: may not be more than " + MAX_ANNOTATIONS + " bytes",
                    "metadata.annotation"));
        }
        return errors;
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    private static void add(List<FieldError> errors, String field, String value, String problem) {
        if (!problem.isEmpty()) {
            errors.add(FieldError.invalidString(field, value, problem));
        }
    }

    private static String goType(JsonNode value) {
        return switch (value.getNodeType()) {
            case STRING -> "string";
            case BOOLEAN -> "bool";
            case NUMBER -> value.isIntegralNumber() ? "int64" : "float64";
            case ARRAY -> "[]interface {}";
            case OBJECT -> "map[string]interface {}";
            default -> "<nil>";
        };
    }
}
