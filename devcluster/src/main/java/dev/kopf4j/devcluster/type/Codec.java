package dev.kopf4j.devcluster.type;

import dev.kopf4j.devcluster.json.Json;
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
public final class Codec {
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
    private final TypeTable table = TypeTable.get();
    private final List<String> unknown;
    /** The names of the fields down to the present one. */
    private final Deque<String> names = new ArrayDeque<>();

    private Codec(List<String> unknown) {
        this.unknown = unknown;
    }

    /**
     * The object in its canonical form, in the field order of the type. Paths of unknown fields are added to the list;
     * {@link TypeMismatch} for a value of the wrong type.
     */
    public static ObjectNode canonical(StructType type, ObjectNode object, List<String> unknown) {
        ObjectNode result = Json.object();
        for (String name : List.of("kind", "apiVersion")) {
            JsonNode value = object.get(name);
            if (value != null) {
                result.set(name, value);
            }
        }
        new Codec(unknown).fields(type, object, "", result);
        return result;
    }

    private void fields(StructType type, ObjectNode object, String path, ObjectNode result) {
        for (Field field : type.fields().values()) {
            JsonNode value = object.get(field.name());
            names.addLast(field.name());
            JsonNode written = field(type, field, value == null || value.isNull() ? null : value, path);
            names.removeLast();
            if (written != null) {
                result.set(field.name(), written);
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

    private @Nullable JsonNode field(StructType type, Field field, @Nullable JsonNode value, String path) {
        String where = join(path, field.name());
        if (value == null) {
            return field.pointer() ? orNull(field) : nothing(field);
        }
        JsonNode written = value(field.form(), value, where, type, field);
        boolean omit = !field.pointer() && !field.always() && isEmpty(field.form(), written);
        boolean emptyPointer = field.pointer()
                && written.isEmpty()
                && (field.form() instanceof Form.ListOf || field.form() instanceof Form.MapOf);
        return omit || emptyPointer ? null : written;
    }

    private static @Nullable JsonNode orNull(Field field) {
        return field.always() ? JsonNodeFactory.instance.nullNode() : null;
    }

    /** What an absent field that is no pointer is written as: objects and times always, others if they must. */
    private @Nullable JsonNode nothing(Field field) {
        JsonNodeFactory nodes = JsonNodeFactory.instance;
        return switch (field.form()) {
            case Form.Struct(String name) -> {
                ObjectNode empty = Json.object();
                fields(table.type(name), Json.object(), field.name(), empty);
                yield empty;
            }
            case Form.ListOf list -> orNull(field);
            case Form.MapOf map -> orNull(field);
            case Form.Scalar(Form.Basic basic) ->
                switch (basic) {
                    case TIME, MICRO_TIME -> nodes.nullNode();
                    case QUANTITY -> nodes.stringNode("0");
                    case INT_OR_STRING -> nodes.numberNode(0);
                    case STRING -> field.always() ? nodes.stringNode("") : null;
                    case INTEGER, NUMBER -> field.always() ? nodes.numberNode(0) : null;
                    case BOOLEAN -> field.always() ? nodes.booleanNode(false) : null;
                    case BYTES, ANY, SCHEMA_OR_BOOL -> orNull(field);
                };
        };
    }

    private static boolean isEmpty(Form form, JsonNode value) {
        return switch (form) {
            case Form.Struct struct -> false;
            case Form.ListOf list -> value.isEmpty();
            case Form.MapOf map -> value.isEmpty();
            case Form.Scalar(Form.Basic basic) ->
                switch (basic) {
                    case STRING, BYTES ->
                        value.isString() && value.stringValue().isEmpty();
                    case INTEGER, NUMBER ->
                        value.isNumber() && value.decimalValue().signum() == 0;
                    case BOOLEAN -> value.isBoolean() && !value.booleanValue();
                    default -> false;
                };
        };
    }

    private JsonNode value(Form form, JsonNode value, String path, StructType type, Field field) {
        return switch (form) {
            case Form.Struct(String name) -> {
                if (!(value instanceof ObjectNode object)) {
                    throw mismatch(value, type, field, form);
                }
                ObjectNode result = Json.object();
                fields(table.type(name), object, path, result);
                yield result;
            }
            case Form.ListOf(Form element) -> list(element, value, path, type, field);
            case Form.MapOf(Form element) -> map(element, value, path, type, field);
            case Form.Scalar(Form.Basic basic) -> scalar(basic, value, path, type, field);
        };
    }

    private JsonNode list(Form element, JsonNode value, String path, StructType type, Field field) {
        if (!(value instanceof ArrayNode array)) {
            throw mismatch(value, type, field, new Form.ListOf(element));
        }
        ArrayNode result = Json.array();
        for (int index = 0; index < array.size(); index++) {
            JsonNode item = array.get(index);
            result.add(
                    item.isNull() && element instanceof Form.Scalar(Form.Basic basic) && basic == Form.Basic.STRING
                            ? JsonNodeFactory.instance.stringNode("")
                            : value(element, item, path + "[" + index + "]", type, field));
        }
        return result;
    }

    private JsonNode map(Form element, JsonNode value, String path, StructType type, Field field) {
        if (!(value instanceof ObjectNode object)) {
            throw mismatch(value, type, field, new Form.MapOf(element));
        }
        ObjectNode result = Json.object();
        for (Map.Entry<String, JsonNode> entry : object.properties()) {
            JsonNode item = entry.getValue().isNull() ? JsonNodeFactory.instance.stringNode("") : entry.getValue();
            result.set(entry.getKey(), value(element, item, join(path, entry.getKey()), type, field));
        }
        return result;
    }

    private JsonNode scalar(Form.Basic basic, JsonNode value, String path, StructType type, Field field) {
        JsonNodeFactory nodes = JsonNodeFactory.instance;
        boolean fits = switch (basic) {
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
            throw mismatch(value, type, field, new Form.Scalar(basic));
        }
        return switch (basic) {
            case TIME -> nodes.stringNode(Times.seconds(value.stringValue()));
            case MICRO_TIME -> nodes.stringNode(Times.micros(value.stringValue()));
            case BYTES -> nodes.stringNode(Times.base64(value.stringValue()));
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

    private TypeMismatch mismatch(JsonNode value, StructType type, Field field, Form form) {
        String found = TypeMismatch.word(value)
                + (value.isNumber() && !value.isIntegralNumber() && isInteger(form) ? " " + value.asString() : "");
        String owner = type.name().substring(type.name().lastIndexOf('.') + 1);
        return new TypeMismatch("json: cannot unmarshal " + found + " into Go struct field " + owner + "."
                + String.join(".", names) + " of type " + expected(form, field));
    }

    private static boolean isInteger(Form form) {
        return form instanceof Form.Scalar(Form.Basic basic) && basic == Form.Basic.INTEGER;
    }

    /** The type as the messages of a real server call it. */
    private static String expected(Form form, Field field) {
        return switch (form) {
            case Form.Struct(String name) -> name.substring(name.indexOf('.') + 1);
            case Form.ListOf(Form element) -> "[]" + expected(element, field);
            case Form.MapOf(Form element) -> "map[string]" + expected(element, field);
            case Form.Scalar(Form.Basic basic) ->
                switch (basic) {
                    case INTEGER -> LONG_FIELDS.contains(field.name()) ? "int64" : "int32";
                    case BOOLEAN -> "bool";
                    case NUMBER -> "float64";
                    case BYTES -> "[]uint8";
                    default -> "string";
                };
        };
    }
}
