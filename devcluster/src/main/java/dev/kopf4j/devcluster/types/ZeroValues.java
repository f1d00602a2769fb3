package dev.kopf4j.devcluster.types;

import dev.kopf4j.devcluster.json.Json;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Go's zero values: how Go writes a field that is absent or has its zero value, by the field's tags. Pure. */
final class ZeroValues {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private ZeroValues() {}

    /** What an absent field is written as; null if it is left out. */
    static @Nullable JsonNode of(TypeField field) {
        return field.pointer() ? nullIfAlways(field) : ofValue(field);
    }

    private static @Nullable JsonNode nullIfAlways(TypeField field) {
        return field.always() ? NODES.nullNode() : null;
    }

    /** Objects, times and the like are always written, others only if they must be. */
    private static @Nullable JsonNode ofValue(TypeField field) {
        return switch (field.fieldType()) {
            case FieldType.Struct(String name) -> of(BuiltinTypes.get().type(name));
            case FieldType.ListOf list -> nullIfAlways(field);
            case FieldType.MapOf map -> nullIfAlways(field);
            case FieldType.Scalar(FieldType.ScalarType scalarType) ->
                switch (scalarType) {
                    case TIME, MICRO_TIME -> NODES.nullNode();
                    case QUANTITY -> NODES.stringNode("0");
                    case INT_OR_STRING -> NODES.numberNode(0);
                    case STRING -> field.always() ? NODES.stringNode("") : null;
                    case INTEGER, LONG, NUMBER -> field.always() ? NODES.numberNode(0) : null;
                    case BOOLEAN -> field.always() ? NODES.booleanNode(false) : null;
                    case BYTES, ANY, SCHEMA_OR_BOOL -> nullIfAlways(field);
                };
        };
    }

    private static ObjectNode of(StructType type) {
        ObjectNode object = Json.object();
        for (TypeField field : type.fields().values()) {
            JsonNode written = of(field);
            if (written != null) {
                object.set(field.name(), written);
            }
        }
        return object;
    }

    /** True if Go leaves the value out of a field that has the tag {@code omitempty}. */
    static boolean isOmitted(TypeField field, JsonNode value) {
        return switch (field.fieldType()) {
            case FieldType.Struct struct -> false;
            case FieldType.ListOf list -> value.isEmpty() && !(field.always() && !field.pointer());
            case FieldType.MapOf map -> value.isEmpty() && !(field.always() && !field.pointer());
            case FieldType.Scalar(FieldType.ScalarType scalarType) ->
                !field.pointer() && !field.always() && isZero(scalarType, value);
        };
    }

    private static boolean isZero(FieldType.ScalarType scalarType, JsonNode value) {
        return switch (scalarType) {
            case STRING, BYTES -> value.isString() && value.stringValue().isEmpty();
            case INTEGER, LONG, NUMBER ->
                value.isNumber() && value.decimalValue().signum() == 0;
            case BOOLEAN -> value.isBoolean() && !value.booleanValue();
            default -> false;
        };
    }
}
