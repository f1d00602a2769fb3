package dev.kopf4j.devcluster.schema;

import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** The JSON types of values, and those that schemas ask for. */
final class SchemaTypeCheck {
    private SchemaTypeCheck() {}

    /** What was asked for, and what was found. */
    record Mismatch(String expected, String found) {}

    /** The types that a schema allows, as the API lists them; empty when any. */
    static String of(StructuralSchema structuralSchema) {
        return structuralSchema.flag("x-kubernetes-int-or-string") ? "integer,string" : structuralSchema.type();
    }

    /** Why a value, not null, has not the type of a schema. A format asks for a text even where no type is named. */
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
