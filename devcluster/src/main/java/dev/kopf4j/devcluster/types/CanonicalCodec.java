package dev.kopf4j.devcluster.types;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.value.ApiTimes;
import dev.kopf4j.devcluster.value.DecodingException;
import dev.kopf4j.devcluster.value.Quantity;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Writes an object anew by its type: what a real server makes of it by decoding and encoding. */
public final class CanonicalCodec {
    private static final Set<String> LONG_FIELDS = Set.of(
            "activeDeadlineSeconds",
            "deletionGracePeriodSeconds",
            "fsGroup",
            "generation",
            "observedGeneration",
            "revision",
            "runAsGroup",
            "runAsUser",
            "startingDeadlineSeconds",
            "supplementalGroups",
            "terminationGracePeriodSeconds",
            "tolerationSeconds");
    private final BuiltinTypes table = BuiltinTypes.get();
    private final List<String> unknown;
    /** The names of the fields down to the present one. */
    private final Deque<String> names = new ArrayDeque<>();

    private CanonicalCodec(List<String> unknown) {
        this.unknown = unknown;
    }

    /**
     * The object in its canonical form, in the field order of the type. Paths of unknown fields are added to the list;
     * {@link DecodingException} for a value of the wrong type.
     */
    public static ObjectNode canonical(StructType type, ObjectNode object, List<String> unknown) {
        ObjectNode result = Json.object();
        for (String name : List.of("kind", "apiVersion")) {
            JsonNode value = object.get(name);
            if (value != null) {
                result.set(name, value);
            }
        }
        new CanonicalCodec(unknown).fields(type, object, "", result);
        return result;
    }

    private void fields(StructType type, ObjectNode object, String path, ObjectNode result) {
        for (TypeField typeField : type.fields().values()) {
            JsonNode value = object.get(typeField.name());
            names.addLast(typeField.name());
            JsonNode written = field(type, typeField, value == null || value.isNull() ? null : value, path);
            names.removeLast();
            if (written != null) {
                result.set(typeField.name(), written);
            }
        }
        for (String name : object.propertyNames()) {
            boolean known = type.fields().containsKey(name)
                    || (path.isEmpty() && (name.equals("kind") || name.equals("apiVersion")));
            if (!known) {
                unknown.add(join(path, name));
            }
        }
    }

    private static String join(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    private @Nullable JsonNode field(StructType type, TypeField typeField, @Nullable JsonNode value, String path) {
        String where = join(path, typeField.name());
        if (value == null) {
            return typeField.pointer() ? orNull(typeField) : nothing(typeField);
        }
        JsonNode written = value(typeField.fieldType(), value, where, type, typeField);
        boolean omit = !typeField.pointer() && !typeField.always() && isEmpty(typeField.fieldType(), written);
        boolean emptyPointer = typeField.pointer()
                && written.isEmpty()
                && (typeField.fieldType() instanceof FieldType.ListOf
                        || typeField.fieldType() instanceof FieldType.MapOf);
        return omit || emptyPointer ? null : written;
    }

    private static @Nullable JsonNode orNull(TypeField typeField) {
        return typeField.always() ? JsonNodeFactory.instance.nullNode() : null;
    }

    /** What an absent field that is no pointer is written as: objects and times always, others if they must. */
    private @Nullable JsonNode nothing(TypeField typeField) {
        JsonNodeFactory nodes = JsonNodeFactory.instance;
        return switch (typeField.fieldType()) {
            case FieldType.Struct(String name) -> {
                ObjectNode empty = Json.object();
                fields(table.type(name), Json.object(), typeField.name(), empty);
                yield empty;
            }
            case FieldType.ListOf list -> orNull(typeField);
            case FieldType.MapOf map -> orNull(typeField);
            case FieldType.Scalar(FieldType.ScalarType scalarType) ->
                switch (scalarType) {
                    case TIME, MICRO_TIME -> nodes.nullNode();
                    case QUANTITY -> nodes.stringNode("0");
                    case INT_OR_STRING -> nodes.numberNode(0);
                    case STRING -> typeField.always() ? nodes.stringNode("") : null;
                    case INTEGER, NUMBER -> typeField.always() ? nodes.numberNode(0) : null;
                    case BOOLEAN -> typeField.always() ? nodes.booleanNode(false) : null;
                    case BYTES, ANY, SCHEMA_OR_BOOL -> orNull(typeField);
                };
        };
    }

    private static boolean isEmpty(FieldType fieldType, JsonNode value) {
        return switch (fieldType) {
            case FieldType.Struct struct -> false;
            case FieldType.ListOf list -> value.isEmpty();
            case FieldType.MapOf map -> value.isEmpty();
            case FieldType.Scalar(FieldType.ScalarType scalarType) ->
                switch (scalarType) {
                    case STRING, BYTES ->
                        value.isString() && value.stringValue().isEmpty();
                    case INTEGER, NUMBER ->
                        value.isNumber() && value.decimalValue().signum() == 0;
                    case BOOLEAN -> value.isBoolean() && !value.booleanValue();
                    default -> false;
                };
        };
    }

    private JsonNode value(FieldType fieldType, JsonNode value, String path, StructType type, TypeField typeField) {
        return switch (fieldType) {
            case FieldType.Struct(String name) -> {
                if (!(value instanceof ObjectNode object)) {
                    throw mismatch(value, type, typeField, fieldType);
                }
                ObjectNode result = Json.object();
                fields(table.type(name), object, path, result);
                yield result;
            }
            case FieldType.ListOf(FieldType element) -> list(element, value, path, type, typeField);
            case FieldType.MapOf(FieldType element) -> map(element, value, path, type, typeField);
            case FieldType.Scalar(FieldType.ScalarType scalarType) -> scalar(scalarType, value, path, type, typeField);
        };
    }

    private JsonNode list(FieldType element, JsonNode value, String path, StructType type, TypeField typeField) {
        if (!(value instanceof ArrayNode array)) {
            throw mismatch(value, type, typeField, new FieldType.ListOf(element));
        }
        ArrayNode result = Json.array();
        for (int index = 0; index < array.size(); index++) {
            JsonNode item = array.get(index);
            result.add(
                    item.isNull()
                                    && element instanceof FieldType.Scalar(FieldType.ScalarType scalarType)
                                    && scalarType == FieldType.ScalarType.STRING
                            ? JsonNodeFactory.instance.stringNode("")
                            : value(element, item, path + "[" + index + "]", type, typeField));
        }
        return result;
    }

    private JsonNode map(FieldType element, JsonNode value, String path, StructType type, TypeField typeField) {
        if (!(value instanceof ObjectNode object)) {
            throw mismatch(value, type, typeField, new FieldType.MapOf(element));
        }
        ObjectNode result = Json.object();
        for (Map.Entry<String, JsonNode> entry : object.properties()) {
            JsonNode item = entry.getValue().isNull() ? JsonNodeFactory.instance.stringNode("") : entry.getValue();
            result.set(entry.getKey(), value(element, item, join(path, entry.getKey()), type, typeField));
        }
        return result;
    }

    private JsonNode scalar(
            FieldType.ScalarType scalarType, JsonNode value, String path, StructType type, TypeField typeField) {
        JsonNodeFactory nodes = JsonNodeFactory.instance;
        boolean fits = switch (scalarType) {
            case STRING, TIME, MICRO_TIME, BYTES -> value.isString();
            case BOOLEAN -> value.isBoolean();
            case INTEGER ->
                value.isNumber() && value.decimalValue().stripTrailingZeros().scale() <= 0;
            case NUMBER -> value.isNumber();
            case QUANTITY -> value.isString() || value.isNumber();
            case INT_OR_STRING -> value.isString() || value.isIntegralNumber();
            case ANY -> true;
            case SCHEMA_OR_BOOL -> value.isObject() || value.isBoolean() || value.isArray();
        };
        if (!fits) {
            throw mismatch(value, type, typeField, new FieldType.Scalar(scalarType));
        }
        return switch (scalarType) {
            case TIME -> nodes.stringNode(ApiTimes.seconds(value.stringValue()));
            case MICRO_TIME -> nodes.stringNode(ApiTimes.micros(value.stringValue()));
            case BYTES -> nodes.stringNode(ApiTimes.base64(value.stringValue()));
            case QUANTITY -> nodes.stringNode(Quantity.canonical(value.asString()));
            case SCHEMA_OR_BOOL -> schema(value, path);
            default -> value;
        };
    }

    private JsonNode schema(JsonNode value, String path) {
        if (value instanceof ObjectNode object) {
            ObjectNode result = Json.object();
            fields(table.type("apiextensions.v1.JSONSchemaProps"), object, path, result);
            return result;
        }
        return value;
    }

    private DecodingException mismatch(JsonNode value, StructType type, TypeField typeField, FieldType fieldType) {
        String found = DecodingException.word(value)
                + (value.isNumber() && !value.isIntegralNumber() && isInteger(fieldType) ? " " + value.asString() : "");
        String owner = type.name().substring(type.name().lastIndexOf('.') + 1);
        return new DecodingException("json: cannot unmarshal " + found + " into Go struct field " + owner + "."
                + String.join(".", names) + " of type " + expected(fieldType, typeField));
    }

    private static boolean isInteger(FieldType fieldType) {
        return fieldType instanceof FieldType.Scalar(FieldType.ScalarType scalarType)
                && scalarType == FieldType.ScalarType.INTEGER;
    }

    /** The type as the messages of a real server call it. */
    private static String expected(FieldType fieldType, TypeField typeField) {
        return switch (fieldType) {
            case FieldType.Struct(String name) -> name.substring(name.indexOf('.') + 1);
            case FieldType.ListOf(FieldType element) -> "[]" + expected(element, typeField);
            case FieldType.MapOf(FieldType element) -> "map[string]" + expected(element, typeField);
            case FieldType.Scalar(FieldType.ScalarType scalarType) ->
                switch (scalarType) {
                    case INTEGER -> LONG_FIELDS.contains(typeField.name()) ? "int64" : "int32";
                    case BOOLEAN -> "bool";
                    case NUMBER -> "float64";
                    case BYTES -> "[]uint8";
                    default -> "string";
                };
        };
    }
}
