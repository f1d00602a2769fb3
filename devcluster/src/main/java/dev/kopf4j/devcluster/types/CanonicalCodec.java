package dev.kopf4j.devcluster.types;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.value.ApiTimes;
import dev.kopf4j.devcluster.value.DecodingException;
import dev.kopf4j.devcluster.value.Quantity;
import dev.kopf4j.json.SortedKeys;
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

/**
 * Brings an object into the canonical form of its type: the one that a real server gets when it decodes an object into
 * a Go type and encodes it again. Confined to one object.
 */
public final class CanonicalCodec {
    private static final Set<String> TYPE_FIELDS = Set.of("kind", "apiVersion");

    private final List<String> unknown;

    /** The names of the fields down to the present one. */
    private final Deque<String> names = new ArrayDeque<>();

    private CanonicalCodec(List<String> unknown) {
        this.unknown = unknown;
    }

    /** The place of a value: its field, the type that has the field, and the path with indices. */
    private record Place(StructType owner, TypeField field, String path) {
        Place below(String element) {
            return new Place(owner, field, path + element);
        }
    }

    /**
     * The object in its canonical form, in the field order of the type; the keys of maps are sorted.
     *
     * @param unknown gets the paths of fields that the type does not have
     * @throws DecodingException if a value has the wrong type
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
        for (TypeField field : type.fields().values()) {
            JsonNode value = object.get(field.name());
            JsonNode written = value == null || value.isNull() || isZeroTime(field.fieldType(), value)
                    ? ZeroValues.of(field)
                    : field(type, field, path, value);
            if (written != null) {
                result.set(field.name(), written);
            }
        }
        for (String name : object.propertyNames()) {
            boolean isTypeField = path.isEmpty() && TYPE_FIELDS.contains(name);
            if (!isTypeField && !type.fields().containsKey(name)) {
                unknown.add(join(path, name));
            }
        }
    }

    private static String join(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    private @Nullable JsonNode field(StructType owner, TypeField field, String path, JsonNode value) {
        names.addLast(field.name());
        JsonNode written = value(field.fieldType(), value, new Place(owner, field, join(path, field.name())));
        names.removeLast();
        if (written.isEmpty() && isCollection(field.fieldType())) {
            return ZeroValues.of(field); // the stored form (protobuf) has no empty lists and maps
        }
        return ZeroValues.isOmitted(field, written) ? null : written;
    }

    private static boolean isZeroTime(FieldType fieldType, JsonNode value) {
        return fieldType instanceof FieldType.Scalar(FieldType.ScalarType scalarType)
                && scalarType == FieldType.ScalarType.TIME
                && value.isString()
                && ApiTimes.isZero(value.stringValue());
    }

    private static boolean isCollection(FieldType fieldType) {
        return fieldType instanceof FieldType.ListOf || fieldType instanceof FieldType.MapOf;
    }

    private JsonNode value(FieldType fieldType, JsonNode value, Place place) {
        return switch (fieldType) {
            case FieldType.Struct(String name) -> {
                if (!(value instanceof ObjectNode object)) {
                    throw mismatch(value, fieldType, place);
                }
                yield struct(name, object, place.path());
            }
            case FieldType.ListOf list -> list(list, value, place);
            case FieldType.MapOf map -> map(map, value, place);
            case FieldType.Scalar(FieldType.ScalarType scalarType) -> {
                if (!ScalarCodec.fits(scalarType, value)) {
                    throw mismatch(value, fieldType, place);
                }
                yield isSchema(scalarType) && value instanceof ObjectNode schema
                        ? struct(BuiltinTypes.SCHEMA, schema, place.path())
                        : ScalarCodec.canonical(scalarType, value);
            }
        };
    }

    private static boolean isSchema(FieldType.ScalarType scalarType) {
        return scalarType == FieldType.ScalarType.SCHEMA_OR_BOOL
                || scalarType == FieldType.ScalarType.SCHEMA_OR_STRINGS;
    }

    private ObjectNode struct(String type, ObjectNode object, String path) {
        ObjectNode result = Json.object();
        fields(BuiltinTypes.get().type(type), object, path, result);
        return result;
    }

    private JsonNode list(FieldType.ListOf list, JsonNode value, Place place) {
        if (!(value instanceof ArrayNode array)) {
            throw mismatch(value, list, place);
        }
        boolean isOfStrings = list.element().equals(new FieldType.Scalar(FieldType.ScalarType.STRING));
        ArrayNode result = Json.array();
        for (int index = 0; index < array.size(); index++) {
            JsonNode element = array.get(index);
            result.add(
                    element.isNull() && isOfStrings
                            ? JsonNodeFactory.instance.stringNode("")
                            : value(list.element(), element, place.below("[" + index + "]")));
        }
        return result;
    }

    private JsonNode map(FieldType.MapOf map, JsonNode value, Place place) {
        if (!(value instanceof ObjectNode object)) {
            throw mismatch(value, map, place);
        }
        JsonNodeFactory nodes = JsonNodeFactory.instance;
        boolean ofResources = map.value().equals(new FieldType.Scalar(FieldType.ScalarType.QUANTITY));
        ObjectNode result = Json.object();
        boolean sorted = true;
        String last = "";
        for (Map.Entry<String, JsonNode> entry : object.properties()) {
            sorted &= last.compareTo(entry.getKey()) <= 0;
            last = entry.getKey();
            JsonNode element = entry.getValue().isNull() ? nodes.stringNode(ofResources ? "0" : "") : entry.getValue();
            JsonNode canonical = value(map.value(), element, place.below("." + entry.getKey()));
            result.set(
                    entry.getKey(),
                    ofResources ? nodes.stringNode(Quantity.ofResource(canonical.stringValue())) : canonical);
        }
        return sorted ? result : SortedKeys.ofTopLevel(result);
    }

    private DecodingException mismatch(JsonNode value, FieldType expected, Place place) {
        boolean isWrongNumber = value.isNumber() && goType(expected).startsWith("int");
        String number = isWrongNumber ? " " + value.asString().replace("E+", "e") : "";
        String found = DecodingException.word(value) + number;
        String owner = place.owner().name();
        return new DecodingException(
                "json: cannot unmarshal " + found + " into Go struct field "
                        + owner.substring(owner.lastIndexOf('.') + 1) + "." + String.join(".", names) + " of type "
                        + goType(expected),
                mapMessage(value, expected));
    }

    /** {@code pkg/runtime/converter.go} of apimachinery, v1.33. */
    private static String mapMessage(JsonNode value, FieldType expected) {
        String word = DecodingException.word(value);
        String found = switch (value.getNodeType()) {
            case NUMBER -> value.isIntegralNumber() ? "int64" : "float64";
            case ARRAY -> "slice";
            case OBJECT -> "map";
            default -> word;
        };
        return switch (expected) {
            case FieldType.Struct _ -> "cannot restore struct from: " + found;
            case FieldType.ListOf _ -> "cannot restore slice from " + found;
            case FieldType.MapOf _ -> "cannot restore map from " + found;
            case FieldType.Scalar(FieldType.ScalarType scalarType) ->
                switch (scalarType) {
                    case TIME, MICRO_TIME -> "json: cannot unmarshal " + word + " into Go value of type string";
                    case INT_OR_STRING -> "json: cannot unmarshal " + word + " into Go value of type int32";
                    case STRING ->
                        (found.equals("int64") ? "cannot convert int64 to " : "unrecognized type: ") + "string";
                    default ->
                        (found.equals("float64") ? "cannot convert float64 to " : "unrecognized type: ")
                                + goType(expected);
                };
        };
    }

    private static String goType(FieldType fieldType) {
        return switch (fieldType) {
            case FieldType.Struct(String name) -> name.substring(name.indexOf('.') + 1);
            case FieldType.ListOf(FieldType element) -> "[]" + goType(element);
            case FieldType.MapOf(FieldType element) -> "map[string]" + goType(element);
            case FieldType.Scalar(FieldType.ScalarType scalarType) -> ScalarCodec.goType(scalarType);
        };
    }

    /** Go's zero values: how Go writes a field that is absent or has its zero value, by the field's tags. Pure. */
    private static final class ZeroValues {
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
                        case BYTES, ANY, SCHEMA_OR_BOOL, SCHEMA_OR_STRINGS -> nullIfAlways(field);
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
}
