package dev.kopf4j.devcluster.schema;

import dev.kopf4j.devcluster.status.FieldError;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** The types of values and schemas; {@code pkg/validation/validate/type.go} of kube-openapi. Pure. */
final class SchemaTypeCheck {
    private SchemaTypeCheck() {}

    /** A value of the wrong type. */
    record Mismatch(String expected, String found) {
        FieldError error(String path) {
            String shown = FieldError.quote(found);
            String message =
                    "Invalid value: " + shown + ": " + path + " in body must be of type " + expected + ": " + shown;
            return new FieldError(FieldError.Type.TYPE_INVALID, message, path);
        }
    }

    /** The types that a schema allows, separated by commas; empty if it allows all. */
    static String of(StructuralSchema structuralSchema) {
        return structuralSchema.flag("x-kubernetes-int-or-string") ? "integer,string" : structuralSchema.type();
    }

    /** Compares a value that is not null with a schema's type. A format without a type asks for a string. */
    static Optional<Mismatch> mismatch(StructuralSchema structuralSchema, JsonNode value) {
        List<String> types = List.of(of(structuralSchema).split(","));
        String format = StringFormats.of(structuralSchema);
        String found = of(value);
        boolean fits = types.contains(found)
                || (found.equals("integer") && types.contains("number"))
                || (types.contains("integer") && isWhole(value));
        boolean formatted = value.isString() || value.isArray();
        if (!format.isEmpty() && !formatted && !fits) {
            return Optional.of(new Mismatch(format, value.isNumber() ? width(found) : ""));
        }
        boolean numeric = types.contains("number") || types.contains("integer");
        if (fits || (!format.isEmpty() && formatted && !numeric)) {
            return Optional.empty();
        }
        return Optional.of(new Mismatch(of(structuralSchema), found));
    }

    private static String width(String type) {
        return type.equals("integer") ? "int64" : "float64";
    }

    private static boolean isWhole(JsonNode value) {
        return value.isNumber() && value.decimalValue().stripTrailingZeros().scale() <= 0;
    }

    private static String of(JsonNode value) {
        return switch (value.getNodeType()) {
            case OBJECT -> "object";
            case ARRAY -> "array";
            case STRING -> "string";
            case BOOLEAN -> "boolean";
            case NUMBER -> value.isIntegralNumber() ? "integer" : "number";
            default -> "null";
        };
    }
}
