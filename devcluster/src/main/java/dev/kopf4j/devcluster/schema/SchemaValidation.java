package dev.kopf4j.devcluster.schema;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.json.JsonEquality;
import dev.kopf4j.devcluster.status.FieldError;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Finds what is wrong with a value by its schema, as {@code pkg/validation/validate} of kube-openapi does. A value that
 * an update leaves as it was is not looked at again (validation ratcheting, KEP-4008).
 */
public final class SchemaValidation {
    private final Set<FieldError> causes = new LinkedHashSet<>();
    /** How many checks were made: of several schemas none of which fits, the one that says most is told about. */
    private int checks;

    private SchemaValidation() {}

    /** All that is wrong with an object; the former state is null when there is none. */
    public static List<FieldError> validate(
            StructuralSchema structuralSchema, ObjectNode object, @Nullable JsonNode before) {
        SchemaValidation schemaValidation = new SchemaValidation();
        schemaValidation.fields(structuralSchema, object, before, "");
        schemaValidation.required(structuralSchema, object, "");
        schemaValidation.combinations(structuralSchema, object, before, "");
        List<FieldError> causes = new ArrayList<>(schemaValidation.causes);
        causes.addAll(EmbeddedResourceValidation.check(structuralSchema, object));
        if (before == null || ListTypeValidation.check(structuralSchema, before).isEmpty()) {
            causes.addAll(ListTypeValidation.check(structuralSchema, object));
        }
        return causes;
    }

    private void value(StructuralSchema structuralSchema, JsonNode value, @Nullable JsonNode before, String path) {
        if (before == null || !JsonEquality.same(before, value)) {
            checked(structuralSchema, value, before, path);
        }
    }

    /** The validators of kube-openapi in their order, each of them counted as there. */
    private void checked(StructuralSchema structuralSchema, JsonNode value, @Nullable JsonNode before, String path) {
        if (value.isNull()) {
            nothing(structuralSchema, path);
            enumeration(structuralSchema, value, path);
            return;
        }
        type(structuralSchema, value, path);
        combinations(structuralSchema, value, before, path);
        if (value.isString()) {
            checks += 1 + (StringFormats.of(structuralSchema).isEmpty() ? 0 : 1);
            causes.addAll(ScalarValidation.text(structuralSchema, value.stringValue(), path));
        } else if (value.isNumber()) {
            checks += 2;
            causes.addAll(ScalarValidation.number(structuralSchema, value, path));
        } else if (value instanceof ArrayNode array) {
            checks += 2;
            array(structuralSchema, array, before, path);
        }
        enumeration(structuralSchema, value, path);
        if (value instanceof ObjectNode object) {
            checks++;
            object(structuralSchema, object, before, path);
        }
        checks += 2;
    }

    private void nothing(StructuralSchema structuralSchema, String path) {
        String types = SchemaTypeCheck.of(structuralSchema);
        if (types.isEmpty() || structuralSchema.flag("nullable")) {
            checks++;
        } else {
            wrongType(new SchemaTypeCheck.Mismatch(types, "null"), path);
        }
    }

    private void type(StructuralSchema structuralSchema, JsonNode value, String path) {
        if (SchemaTypeCheck.of(structuralSchema).isEmpty()
                && StringFormats.of(structuralSchema).isEmpty()) {
            return;
        }
        Optional<SchemaTypeCheck.Mismatch> mismatch = SchemaTypeCheck.mismatch(structuralSchema, value);
        mismatch.ifPresent(found -> wrongType(found, path));
        checks += mismatch.isPresent() ? 1 : 2;
    }

    private void wrongType(SchemaTypeCheck.Mismatch mismatch, String path) {
        String found = FieldError.quote(mismatch.found());
        String message = "Invalid value: " + found + ": " + path + " in body must be of type " + mismatch.expected()
                + ": " + found;
        causes.add(new FieldError(FieldError.Type.TYPE_INVALID, message, path));
    }

    private void object(StructuralSchema structuralSchema, ObjectNode object, @Nullable JsonNode before, String path) {
        Optional<FieldError> miscounted = count(structuralSchema, object.size(), "Properties", "properties", path);
        if (miscounted.isPresent()) {
            causes.add(miscounted.get()); // and nothing is said about the fields
            return;
        }
        fields(structuralSchema, object, before, path);
        required(structuralSchema, object, path);
    }

    private void fields(StructuralSchema structuralSchema, ObjectNode object, @Nullable JsonNode before, String path) {
        for (Map.Entry<String, JsonNode> entry : object.properties()) {
            String name = entry.getKey();
            JsonNode former = before == null ? null : before.get(name);
            String below = path.isEmpty() ? name : path + "." + name;
            structuralSchema.field(name).ifPresent(field -> value(field, entry.getValue(), former, below));
        }
    }

    private void required(StructuralSchema structuralSchema, ObjectNode object, String path) {
        for (JsonNode name : structuralSchema.node().path("required")) {
            if (!object.has(name.stringValue())) {
                causes.add(
                        FieldError.required(path.isEmpty() ? name.stringValue() : path + "." + name.stringValue(), ""));
            }
        }
    }

    private void array(StructuralSchema structuralSchema, ArrayNode array, @Nullable JsonNode before, String path) {
        structuralSchema.items().ifPresent(items -> {
            for (int index = 0; index < array.size(); index++) {
                JsonNode item = array.get(index);
                JsonNode former =
                        before == null ? null : ListTypeValidation.counterpart(structuralSchema, item, before, index);
                value(items, item, former, path + "[" + index + "]");
            }
        });
        count(structuralSchema, array.size(), "Items", "items", path).ifPresent(causes::add);
        if (structuralSchema.flag("uniqueItems") && ListTypeValidation.repeats(array)) {
            causes.add(FieldError.invalid(path, "\"\"", path + " in body shouldn't contain duplicates"));
        }
    }

    private static Optional<FieldError> count(
            StructuralSchema structuralSchema, int size, String keyword, String words, String path) {
        JsonNode min = structuralSchema.node().path("min" + keyword);
        if (min.isNumber() && size < min.longValue()) {
            return Optional.of(FieldError.invalid(
                    path,
                    String.valueOf(size),
                    path + " in body should have at least " + min.longValue() + " " + words));
        }
        JsonNode max = structuralSchema.node().path("max" + keyword);
        if (max.isNumber() && size > max.longValue()) {
            String rule = "must have at most " + max.longValue() + (max.longValue() == 1 ? " item" : " items");
            return Optional.of(new FieldError(FieldError.Type.TOO_MANY, "Too many: " + size + ": " + rule, path));
        }
        return Optional.empty();
    }

    private void enumeration(StructuralSchema structuralSchema, JsonNode value, String path) {
        JsonNode allowed = structuralSchema.node().path("enum");
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
        causes.add(FieldError.notSupported(path, value.isNull() ? "\"null\"" : Json.text(value), words));
    }

    private void combinations(
            StructuralSchema structuralSchema, JsonNode value, @Nullable JsonNode before, String path) {
        checks += 2;
        any(tried(structuralSchema, "anyOf", value, before, path), path);
        one(tried(structuralSchema, "oneOf", value, before, path), path);
        all(tried(structuralSchema, "allOf", value, before, path), path);
        JsonNode not = structuralSchema.node().path("not");
        if (not.isObject()
                && tried(new StructuralSchema(not), value, before, path).fits()) {
            refuse(path, "must not validate the schema (not)");
        }
    }

    private void any(List<SchemaValidation> tried, String path) {
        Optional<SchemaValidation> first =
                tried.stream().filter(SchemaValidation::fits).findFirst();
        if (!tried.isEmpty() && first.isEmpty()) {
            refuse(path, "must validate at least one schema (anyOf)");
            merge(mostTelling(tried));
        }
        first.ifPresent(this::merge);
    }

    private void one(List<SchemaValidation> tried, String path) {
        List<SchemaValidation> fitting =
                tried.stream().filter(SchemaValidation::fits).toList();
        if (fitting.size() == 1) {
            merge(fitting.getFirst());
        } else if (!fitting.isEmpty()) {
            refuse(
                    path,
                    "must validate one and only one schema (oneOf). Found " + fitting.size() + " valid alternatives");
        } else if (!tried.isEmpty()) {
            refuse(path, "must validate one and only one schema (oneOf). Found none valid");
            merge(mostTelling(tried));
        }
    }

    private void all(List<SchemaValidation> tried, String path) {
        tried.forEach(this::merge);
        long fitting = tried.stream().filter(SchemaValidation::fits).count();
        if (fitting < tried.size()) {
            refuse(path, "must validate all the schemas (allOf)" + (fitting == 0 ? ". None validated" : ""));
        }
    }

    /** Failures of combinations are about no field, as the library behind Kubernetes tells them. */
    private void refuse(String path, String rule) {
        causes.add(FieldError.invalid("<nil>", "\"\"", "\"" + path + "\" " + rule));
    }

    private boolean fits() {
        return causes.isEmpty();
    }

    private void merge(SchemaValidation other) {
        causes.addAll(other.causes);
        checks += other.checks;
    }

    private static SchemaValidation mostTelling(List<SchemaValidation> tried) {
        SchemaValidation most = tried.getFirst();
        for (SchemaValidation each : tried) {
            most = each.checks > most.checks ? each : most;
        }
        return most;
    }

    private static List<SchemaValidation> tried(
            StructuralSchema structuralSchema, String keyword, JsonNode value, @Nullable JsonNode before, String path) {
        return structuralSchema
                .node()
                .path(keyword)
                .valueStream()
                .map(each -> tried(new StructuralSchema(each), value, before, path))
                .toList();
    }

    /** One schema of several: what an update leaves as it was is passed over below it, not the value itself. */
    private static SchemaValidation tried(
            StructuralSchema structuralSchema, JsonNode value, @Nullable JsonNode before, String path) {
        SchemaValidation inner = new SchemaValidation();
        inner.checked(structuralSchema, value, before, path);
        return inner;
    }
}
