package dev.kopf4j.devcluster.types;

import dev.kopf4j.devcluster.value.ApiTimes;
import dev.kopf4j.devcluster.value.Quantity;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Single values as Go reads and writes them. Pure. */
final class ScalarCodec {
    private ScalarCodec() {}

    /** True if the JSON has the right type: for Go, no number with a point or an exponent is an integer. */
    static boolean fits(FieldType.ScalarType scalarType, JsonNode value) {
        return switch (scalarType) {
            case STRING, TIME, MICRO_TIME, BYTES -> value.isString();
            case BOOLEAN -> value.isBoolean();
            case INTEGER -> value.isIntegralNumber() && value.canConvertToInt();
            case LONG -> value.isIntegralNumber() && value.canConvertToLong();
            case NUMBER -> value.isNumber();
            case QUANTITY -> value.isString() || value.isNumber();
            case INT_OR_STRING -> value.isString() || (value.isIntegralNumber() && value.canConvertToInt());
            case ANY -> true;
            case SCHEMA_OR_BOOL -> value.isObject() || value.isBoolean() || value.isArray();
            case SCHEMA_OR_STRINGS -> value.isObject() || value.isArray();
        };
    }

    /** The canonical form of times, bytes and quantities; other values as they are. */
    static JsonNode canonical(FieldType.ScalarType scalarType, JsonNode value) {
        JsonNodeFactory nodes = JsonNodeFactory.instance;
        return switch (scalarType) {
            case TIME -> nodes.stringNode(ApiTimes.seconds(value.stringValue()));
            case MICRO_TIME -> nodes.stringNode(ApiTimes.micros(value.stringValue()));
            case BYTES -> nodes.stringNode(ApiTimes.base64(value.stringValue()));
            case QUANTITY -> nodes.stringNode(Quantity.canonical(quantity(value)));
            default -> value;
        };
    }

    /** A number as most clients write it: Java's capital letter before exponents is not theirs. */
    private static String quantity(JsonNode value) {
        return value.isNumber()
                ? value.asString().replace('E', 'e')
                : value.asString().strip();
    }

    /** The name of the Go type in error messages. */
    static String goType(FieldType.ScalarType scalarType) {
        return switch (scalarType) {
            case INTEGER, INT_OR_STRING -> "int32";
            case LONG -> "int64";
            case BOOLEAN -> "bool";
            case NUMBER -> "float64";
            case BYTES -> "[]uint8";
            default -> "string";
        };
    }

    /** True if the JSON must be a whole number. */
    static boolean isWhole(FieldType fieldType) {
        return fieldType instanceof FieldType.Scalar(FieldType.ScalarType scalarType)
                && (scalarType == FieldType.ScalarType.INTEGER || scalarType == FieldType.ScalarType.LONG);
    }
}
