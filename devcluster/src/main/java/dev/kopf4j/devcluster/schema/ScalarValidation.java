package dev.kopf4j.devcluster.schema;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** Validates the limits of strings and numbers; {@code pkg/validation/validate/values.go} of kube-openapi. Pure. */
final class ScalarValidation {
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
                    FieldError.Type.TOO_LONG, "Too long: may not be more than " + max.longValue() + " bytes", path));
        }
        JsonNode min = node.path("minLength");
        if (min.isNumber() && length < min.longValue()) {
            return refused(path, text, "should be at least " + min.longValue() + " chars long");
        }
        JsonNode pattern = node.path("pattern");
        if (pattern.isString()
                && !Pattern.compile(pattern.stringValue()).matcher(text).find()) {
            return refused(path, text, "should match '" + pattern.stringValue() + "'");
        }
        return Optional.empty();
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
            causes.add(FieldError.invalid(path, shown, path + " in body should be a multiple of " + step.asString()));
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
