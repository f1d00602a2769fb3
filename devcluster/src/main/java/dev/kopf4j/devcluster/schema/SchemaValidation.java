package dev.kopf4j.devcluster.schema;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.json.JsonEquality;
import dev.kopf4j.devcluster.status.FieldError;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Validates a value by its schema; {@code pkg/validation/validate/schema.go} of kube-openapi as Kubernetes v1.33 has
 * it. Values that an update leaves alone are not validated (validation ratcheting, KEP-4008). Confined to one value.
 */
public final class SchemaValidation {
    private final ValidationResult result;

    SchemaValidation(ValidationResult result) {
        this.result = result;
    }

    /**
     * All errors of an object.
     *
     * @param before the former state; null if the object is new
     */
    public static List<FieldError> validate(StructuralSchema schema, ObjectNode object, @Nullable JsonNode before) {
        ValidationResult result = new ValidationResult();
        SchemaValidation validation = new SchemaValidation(result);
        validation.fields(schema, object, before, "");
        validation.required(schema, object, "");
        new CombinationValidation(result, object, "").validate(schema);
        List<FieldError> errors = new ArrayList<>(result.errors());
        errors.addAll(EmbeddedResourceValidation.check(schema, object));
        if (before == null || ListTypeValidation.check(schema, before).isEmpty()) {
            errors.addAll(ListTypeValidation.check(schema, object));
        }
        return errors;
    }

    private void validate(StructuralSchema schema, JsonNode value, @Nullable JsonNode before, String path) {
        if (before == null || !JsonEquality.same(before, value)) {
            validateAnew(schema, value, before, path);
        }
    }

    /**
     * Runs the validators of kube-openapi in their order, even if the value is unchanged, and counts each as
     * kube-openapi does.
     */
    void validateAnew(StructuralSchema schema, JsonNode value, @Nullable JsonNode before, String path) {
        if (value.isNull()) {
            nullValue(schema, path);
            enumeration(schema, value, path);
            return;
        }
        type(schema, value, path);
        new CombinationValidation(result, value, path).validate(schema);
        if (value.isString()) {
            result.count(1 + (StringFormats.of(schema).isEmpty() ? 0 : 1));
            result.addAll(ScalarValidation.text(schema, value.stringValue(), path));
        } else if (value.isNumber()) {
            result.count(2);
            result.addAll(ScalarValidation.number(schema, value, path));
        } else if (value instanceof ArrayNode array) {
            result.count(2);
            array(schema, array, before, path);
        }
        enumeration(schema, value, path);
        if (value instanceof ObjectNode object) {
            result.count(1);
            object(schema, object, before, path);
        }
        result.count(2);
    }

    private void nullValue(StructuralSchema schema, String path) {
        String types = SchemaTypeCheck.of(schema);
        if (types.isEmpty() || schema.flag("nullable")) {
            result.count(1);
        } else {
            result.add(new SchemaTypeCheck.Mismatch(types, "null").error(path));
        }
    }

    private void type(StructuralSchema schema, JsonNode value, String path) {
        if (SchemaTypeCheck.of(schema).isEmpty() && StringFormats.of(schema).isEmpty()) {
            return;
        }
        Optional<SchemaTypeCheck.Mismatch> mismatch = SchemaTypeCheck.mismatch(schema, value);
        mismatch.ifPresent(found -> result.add(found.error(path)));
        result.count(mismatch.isPresent() ? 1 : 2);
    }

    private void object(StructuralSchema schema, ObjectNode object, @Nullable JsonNode before, String path) {
        properties(schema, object.size(), path).ifPresent(result::add);
        fields(schema, object, before, path);
        required(schema, object, path);
    }

    private void fields(StructuralSchema schema, ObjectNode object, @Nullable JsonNode before, String path) {
        for (Map.Entry<String, JsonNode> entry : object.properties()) {
            String name = entry.getKey();
            JsonNode former = before == null ? null : before.get(name);
            String below = path.isEmpty() ? name : path + "." + name;
            schema.field(name).ifPresent(field -> validate(field, entry.getValue(), former, below));
        }
    }

    private void required(StructuralSchema schema, ObjectNode object, String path) {
        for (JsonNode node : schema.node().path("required")) {
            String name = node.stringValue();
            if (!object.has(name)) {
                result.add(FieldError.required(path.isEmpty() ? name : path + "." + name, ""));
            }
        }
    }

    private void array(StructuralSchema schema, ArrayNode array, @Nullable JsonNode before, String path) {
        schema.items().ifPresent(items -> {
            for (int index = 0; index < array.size(); index++) {
                JsonNode item = array.get(index);
                JsonNode former = before == null ? null : ListTypeValidation.counterpart(schema, item, before);
                validate(items, item, former, path + "[" + index + "]");
            }
        });
        items(schema, array.size(), path).ifPresent(result::add);
        if (schema.flag("uniqueItems") && ListTypeValidation.repeats(array)) {
            result.add(FieldError.invalid(path, "\"\"", path + " in body shouldn't contain duplicates"));
        }
    }

    private void enumeration(StructuralSchema schema, JsonNode value, String path) {
        JsonNode allowed = schema.node().path("enum");
        if (allowed.isEmpty()) {
            return;
        }
        List<String> words = new ArrayList<>();
        for (JsonNode each : allowed) {
            if (!value.isNull() && JsonEquality.same(each, value)) {
                return;
            }
            words.add(each.isString() ? each.stringValue() : Json.text(each));
        }
        result.add(FieldError.notSupported(path, value.isNull() ? "\"null\"" : Json.text(value), words));
    }

    /** The limits on the number of items or properties; {@code pkg/validation/validate/values.go} of kube-openapi. */
    private static Optional<FieldError> items(StructuralSchema schema, int size, String path) {
        return error(schema, size, "Items", "items", path);
    }

    private static Optional<FieldError> properties(StructuralSchema schema, int size, String path) {
        return error(schema, size, "Properties", "properties", path);
    }

    private static Optional<FieldError> error(
            StructuralSchema schema, int size, String keyword, String words, String path) {
        JsonNode min = schema.node().path("min" + keyword);
        if (min.isNumber() && size < min.longValue()) {
            String rule = path + " in body should have at least " + min.longValue() + " " + words;
            return Optional.of(FieldError.invalid(path, String.valueOf(size), rule));
        }
        JsonNode max = schema.node().path("max" + keyword);
        if (max.isNumber() && size > max.longValue()) {
            String rule = "must have at most " + max.longValue() + " items";
            return Optional.of(new FieldError(FieldError.Type.TOO_MANY, "Too many: " + size + ": " + rule, path));
        }
        return Optional.empty();
    }
}
