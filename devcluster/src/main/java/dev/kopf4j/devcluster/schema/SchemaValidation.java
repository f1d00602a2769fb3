package dev.kopf4j.devcluster.schema;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.value.GoPatterns;
import dev.kopf4j.json.JsonEquality;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
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
            Optional<StructuralSchema> field = schema.field(name);
            if (field.isPresent()) {
                validate(field.get(), entry.getValue(), former, below);
            } else if (schema.forbidsUnknown() && !path.isEmpty()) {
                result.add(
                        FieldError.invalid(path, FieldError.quote(name), below + " in body is a forbidden property"));
            }
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
            UnaryOperator<@Nullable JsonNode> former = ListTypeValidation.counterparts(schema, before);
            for (int index = 0; index < array.size(); index++) {
                JsonNode item = array.get(index);
                validate(items, item, former.apply(item), path + "[" + index + "]");
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

    /**
     * The keywords that combine schemas: anyOf, oneOf, allOf, not; {@code pkg/validation/validate/schema_props.go} of
     * kube-openapi. Confined to one value.
     */
    private static final class CombinationValidation {
        private final ValidationResult result;
        private final JsonNode value;
        private final String path;

        CombinationValidation(ValidationResult result, JsonNode value, String path) {
            this.result = result;
            this.value = value;
            this.path = path;
        }

        /** Adds the errors to the result. */
        void validate(StructuralSchema schema) {
            result.count(2);
            any(resultsOf(schema, "anyOf"));
            one(resultsOf(schema, "oneOf"));
            all(resultsOf(schema, "allOf"));
            JsonNode not = schema.node().path("not");
            if (not.isObject() && resultOf(not).isValid()) {
                refuse("must not validate the schema (not)");
            }
        }

        private void any(List<ValidationResult> results) {
            Optional<ValidationResult> first =
                    results.stream().filter(ValidationResult::isValid).findFirst();
            first.ifPresent(result::merge);
            if (!results.isEmpty() && first.isEmpty()) {
                refuse("must validate at least one schema (anyOf)");
                result.merge(withMostChecks(results));
            }
        }

        private void one(List<ValidationResult> results) {
            List<ValidationResult> valid =
                    results.stream().filter(ValidationResult::isValid).toList();
            if (valid.size() == 1) {
                result.merge(valid.getFirst());
            } else if (!valid.isEmpty()) {
                refuse("must validate one and only one schema (oneOf). Found " + valid.size() + " valid alternatives");
            } else if (!results.isEmpty()) {
                refuse("must validate one and only one schema (oneOf). Found none valid");
                result.merge(withMostChecks(results));
            }
        }

        private void all(List<ValidationResult> results) {
            results.forEach(result::merge);
            long valid = results.stream().filter(ValidationResult::isValid).count();
            if (valid < results.size()) {
                refuse("must validate all the schemas (allOf)" + (valid == 0 ? ". None validated" : ""));
            }
        }

        /** kube-openapi reports failures of combinations without a field. */
        private void refuse(String rule) {
            result.add(FieldError.invalid("<nil>", "\"\"", "\"" + path + "\" " + rule));
        }

        private static ValidationResult withMostChecks(List<ValidationResult> results) {
            ValidationResult most = results.getFirst();
            for (ValidationResult each : results) {
                most = each.checks() > most.checks() ? each : most;
            }
            return most;
        }

        private List<ValidationResult> resultsOf(StructuralSchema schema, String keyword) {
            return Json.items(schema.node(), keyword).map(this::resultOf).toList();
        }

        /** Tries one schema, which also counts for what is unchanged. */
        private ValidationResult resultOf(JsonNode schema) {
            ValidationResult inner = new ValidationResult();
            new SchemaValidation(inner).validateAnew(new StructuralSchema(schema), value, null, path);
            return inner;
        }
    }

    /**
     * Validates the apiVersion and kind of embedded resources; {@code pkg/apiserver/schema/objectmeta/validation.go} of
     * apiextensions-apiserver, v1.33.
     */
    private static final class EmbeddedResourceValidation {
        private static final Pattern KIND = Pattern.compile("[a-z]([-a-z0-9]{0,61}[a-z0-9])?");
        private final List<FieldError> causes = new ArrayList<>();

        private EmbeddedResourceValidation() {}

        /** The errors of all embedded resources below a value. */
        static List<FieldError> check(StructuralSchema structuralSchema, JsonNode value) {
            EmbeddedResourceValidation resources = new EmbeddedResourceValidation();
            resources.walk(structuralSchema, value, "");
            return resources.causes;
        }

        private void walk(StructuralSchema structuralSchema, JsonNode value, String path) {
            if (value instanceof ObjectNode object) {
                if (structuralSchema.embedsResource()) {
                    resource(object, path);
                }
                object.properties()
                        .forEach(entry -> structuralSchema
                                .field(entry.getKey())
                                .ifPresent(field ->
                                        walk(field, entry.getValue(), structuralSchema.pathOf(entry.getKey(), path))));
            } else if (value instanceof ArrayNode array) {
                structuralSchema.items().ifPresent(items -> {
                    for (int index = 0; index < array.size(); index++) {
                        walk(items, array.get(index), path + "[" + index + "]");
                    }
                });
            }
        }

        private void resource(ObjectNode object, String path) {
            for (String name : List.of("apiVersion", "kind")) {
                JsonNode value = object.get(name);
                String field = path + "." + name;
                if (value == null) {
                    causes.add(FieldError.required(field, "must not be empty"));
                } else if (!value.isString()) {
                    causes.add(FieldError.invalid(field, Json.text(value), "must be a string"));
                } else if (value.stringValue().isEmpty()) {
                    causes.add(FieldError.invalidString(field, "", "must not be empty"));
                } else {
                    form(name, value.stringValue(), field);
                }
            }
        }

        private void form(String name, String text, String field) {
            if (name.equals("apiVersion")
                    && text.chars().filter(each -> each == '/').count() > 1) {
                causes.add(FieldError.invalidString(field, text, "unexpected GroupVersion string: " + text));
            } else if (name.equals("kind")
                    && !KIND.matcher(text.toLowerCase(Locale.ROOT)).matches()) {
                String rule =
                        "may have mixed case, but should otherwise match: a DNS-1035 label must consist of lower case"
                                + " alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric"
                                + " character (e.g. 'my-name',  or 'abc-123', regex used for validation is"
                                + " '[a-z]([-a-z0-9]*[a-z0-9])?')";
                causes.add(FieldError.invalidString(field, text, rule));
            }
        }
    }

    /** Validates the limits of strings and numbers; {@code pkg/validation/validate/values.go} of kube-openapi. Pure. */
    private static final class ScalarValidation {
        private ScalarValidation() {}

        /** The first limit that a string breaks, and its format if it does not have that. */
        static List<FieldError> text(StructuralSchema structuralSchema, String text, String path) {
            List<FieldError> causes = new ArrayList<>();
            limits(structuralSchema.node(), text, path).ifPresent(causes::add);
            String format = StringFormats.of(structuralSchema);
            if (!StringFormats.fits(format, text)) {
                String rule = path + " in body must be of type " + format + ": " + FieldError.quote(text);
                causes.add(new FieldError(
                        FieldError.Type.TYPE_INVALID, "Invalid value: " + FieldError.quote(text) + ": " + rule, path));
            }
            return causes;
        }

        private static Optional<FieldError> limits(JsonNode node, String text, String path) {
            int length = text.codePointCount(0, text.length());
            JsonNode max = node.path("maxLength");
            if (max.isNumber() && length > max.longValue()) {
                return Optional.of(new FieldError(
                        FieldError.Type.TOO_LONG,
                        "Too long: may not be more than " + max.longValue() + " bytes",
                        path));
            }
            JsonNode min = node.path("minLength");
            if (min.isNumber() && length < min.longValue()) {
                return refused(path, text, "should be at least " + min.longValue() + " chars long");
            }
            JsonNode pattern = node.path("pattern");
            return pattern.isString() ? pattern(pattern.stringValue(), text, path) : Optional.empty();
        }

        private static Optional<FieldError> pattern(String pattern, String text, String path) {
            try {
                return GoPatterns.find(pattern, text)
                        ? Optional.empty()
                        : refused(path, text, "should match '" + pattern + "'");
            } catch (IllegalArgumentException e) { // of a definition of an earlier server
                String problem = GoPatterns.problem(pattern).orElse("");
                return refused(path, text, "should match '" + pattern + ", but pattern is invalid: " + problem + "'");
            }
        }

        private static Optional<FieldError> refused(String path, String text, String rule) {
            return Optional.of(FieldError.invalidString(path, text, path + " in body " + rule));
        }

        /** All limits that a number breaks. Whole numbers are compared with the whole part of a limit. */
        static List<FieldError> number(StructuralSchema structuralSchema, JsonNode value, String path) {
            List<FieldError> causes = new ArrayList<>();
            JsonNode node = structuralSchema.node();
            BigDecimal number = value.decimalValue();
            String shown = Json.text(value);
            JsonNode step = node.path("multipleOf");
            if (step.isNumber() && number.remainder(step.decimalValue()).signum() != 0) {
                causes.add(
                        FieldError.invalid(path, shown, path + " in body should be a multiple of " + step.asString()));
            }
            for (Bound bound : List.of(
                    new Bound("minimum", "exclusiveMinimum", -1, "greater"),
                    new Bound("maximum", "exclusiveMaximum", 1, "less"))) {
                bound.broken(node, number, value.isIntegralNumber())
                        .ifPresent(rule -> causes.add(FieldError.invalid(path, shown, path + rule)));
            }
            return causes;
        }

        private record Bound(String keyword, String exclusive, int beyond, String word) {
            Optional<String> broken(JsonNode node, BigDecimal number, boolean whole) {
                if (!node.path(keyword).isNumber()) {
                    return Optional.empty();
                }
                BigDecimal exact = node.path(keyword).decimalValue();
                BigDecimal limit = whole ? exact.setScale(0, RoundingMode.DOWN) : exact;
                boolean strict = node.path(exclusive).booleanValue(false);
                int order = number.compareTo(limit);
                if (order != beyond && !(strict && order == 0)) {
                    return Optional.empty();
                }
                return Optional.of(" in body should be " + word + " than " + (strict ? "" : "or equal to ")
                        + limit.stripTrailingZeros().toPlainString());
            }
        }
    }
}
