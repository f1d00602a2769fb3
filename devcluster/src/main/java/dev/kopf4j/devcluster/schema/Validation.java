package dev.kopf4j.devcluster.schema;

import dev.kopf4j.devcluster.json.Equality;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.Cause;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Finds what is wrong with a value by its schema. A value that an update leaves as it was is not looked at again
 * (validation ratcheting, KEP-4008).
 */
public final class Validation {
    private final List<Cause> causes;
    /** How much was looked at: of several schemas none of which fits, the one that says most is told about. */
    private int looked;

    private Validation(List<Cause> causes) {
        this.causes = causes;
    }

    /** All that is wrong with an object; the former state is null when there is none. */
    public static List<Cause> validate(Schema schema, ObjectNode object, @Nullable JsonNode before) {
        List<Cause> causes = new ArrayList<>();
        Validation validation = new Validation(causes);
        for (Map.Entry<String, JsonNode> entry : object.properties()) {
            String name = entry.getKey();
            schema.field(name)
                    .ifPresent(field ->
                            validation.value(field, entry.getValue(), before == null ? null : before.get(name), name));
        }
        validation.required(schema, object, "");
        validation.combinations(schema, object, "");
        if (before == null || ListTypes.check(schema, before).isEmpty()) {
            causes.addAll(ListTypes.check(schema, object));
        }
        return causes;
    }

    private void value(Schema schema, JsonNode value, @Nullable JsonNode before, String path) {
        if (before != null && Equality.same(before, value)) {
            return;
        }
        if (value.isNull()) {
            if (!schema.flag("nullable")) {
                wrongType(schema, path, "null");
            }
            return;
        }
        looked += 4 + (schema.type().isEmpty() ? 0 : 1);
        type(schema, value, path);
        if (value instanceof ObjectNode object) {
            object(schema, object, before, path);
        } else if (value instanceof ArrayNode array) {
            array(schema, array, before, path);
        } else if (value.isString()) {
            causes.addAll(Scalars.text(schema, value.stringValue(), path));
        } else if (value.isNumber()) {
            causes.addAll(Scalars.number(schema, value.decimalValue(), Json.text(value), path));
        }
        enumeration(schema, value, path);
        combinations(schema, value, path);
    }

    private void type(Schema schema, JsonNode value, String path) {
        if (schema.flag("x-kubernetes-int-or-string")) {
            if (!value.isString() && !isInteger(value)) {
                wrongType("integer,string", path, typeOf(value));
            }
            return;
        }
        boolean fits = switch (schema.type()) {
            case "object" -> value.isObject();
            case "array" -> value.isArray();
            case "string" -> value.isString();
            case "boolean" -> value.isBoolean();
            case "integer" -> isInteger(value);
            case "number" -> value.isNumber();
            default -> true;
        };
        if (!fits) {
            wrongType(schema, path, typeOf(value));
        }
    }

    private void wrongType(Schema schema, String path, String found) {
        wrongType(schema.type(), path, found);
    }

    private void wrongType(String expected, String path, String found) {
        String message = "Invalid value: \"" + found + "\": " + path + " in body must be of type " + expected + ": \""
                + found + "\"";
        causes.add(new Cause(Cause.Type.TYPE_INVALID, message, path));
    }

    private static boolean isInteger(JsonNode value) {
        return value.isIntegralNumber()
                || (value.isNumber()
                        && value.decimalValue().stripTrailingZeros().scale() <= 0);
    }

    private static String typeOf(JsonNode value) {
        return switch (value.getNodeType()) {
            case OBJECT -> "object";
            case ARRAY -> "array";
            case STRING -> "string";
            case BOOLEAN -> "boolean";
            case NUMBER -> isInteger(value) ? "integer" : "number";
            default -> "null";
        };
    }

    private void object(Schema schema, ObjectNode object, @Nullable JsonNode before, String path) {
        required(schema, object, path);
        count(schema, object.size(), "Properties", "properties", path);
        if (schema.embedsResource()) {
            embedded(object, path);
        }
        for (Map.Entry<String, JsonNode> entry : object.properties()) {
            String name = entry.getKey();
            schema.field(name)
                    .ifPresent(field -> value(
                            field, entry.getValue(), before == null ? null : before.get(name), path + "." + name));
        }
    }

    private void embedded(ObjectNode object, String path) {
        for (String name : List.of("apiVersion", "kind")) {
            if (Json.string(object, name).isEmpty()) {
                causes.add(Cause.required(path + "." + name, "must not be empty"));
            }
        }
    }

    private void required(Schema schema, ObjectNode object, String path) {
        for (JsonNode name : schema.node().path("required")) {
            if (!object.has(name.stringValue())) {
                causes.add(Cause.required(path.isEmpty() ? name.stringValue() : path + "." + name.stringValue(), ""));
            }
        }
    }

    private void array(Schema schema, ArrayNode array, @Nullable JsonNode before, String path) {
        count(schema, array.size(), "Items", "items", path);
        Optional<Schema> items = schema.items();
        if (items.isEmpty()) {
            return;
        }
        for (int index = 0; index < array.size(); index++) {
            JsonNode item = array.get(index);
            JsonNode former = before == null ? null : ListTypes.counterpart(schema, item, before, index);
            value(items.get(), item, former, path + "[" + index + "]");
        }
    }

    private void count(Schema schema, int size, String keyword, String words, String path) {
        JsonNode max = schema.node().path("max" + keyword);
        if (max.isNumber() && size > max.longValue()) {
            causes.add(new Cause(
                    Cause.Type.TOO_MANY,
                    "Too many: " + size + ": must have at most " + max.longValue() + " " + words,
                    path));
        }
        JsonNode min = schema.node().path("min" + keyword);
        if (min.isNumber() && size < min.longValue()) {
            causes.add(Cause.invalid(
                    path,
                    String.valueOf(size),
                    path + " in body should have at least " + min.longValue() + " " + words));
        }
    }

    private void enumeration(Schema schema, JsonNode value, String path) {
        JsonNode allowed = schema.node().path("enum");
        if (!allowed.isArray()) {
            return;
        }
        List<String> words = new ArrayList<>();
        for (JsonNode each : allowed) {
            if (Equality.same(each, value)) {
                return;
            }
            words.add(each.isString() ? each.stringValue() : Json.text(each));
        }
        causes.add(Cause.notSupported(path, Json.text(value), words));
    }

    private void combinations(Schema schema, JsonNode value, String path) {
        all(schema.node().path("allOf"), value, path);
        any(schema.node().path("anyOf"), value, path);
        one(schema.node().path("oneOf"), value, path);
        JsonNode not = schema.node().path("not");
        if (not.isObject() && inner(not, value, path).causes.isEmpty()) {
            refuse(path, "must not validate the schema (not)");
        }
    }

    private void all(JsonNode schemas, JsonNode value, String path) {
        long failing = 0;
        for (JsonNode each : schemas) {
            Validation inner = inner(each, value, path);
            causes.addAll(inner.causes);
            failing += inner.causes.isEmpty() ? 0 : 1;
        }
        if (failing > 0) {
            String none = failing == schemas.size() ? ". None validated" : "";
            refuse(path, "must validate all the schemas (allOf)" + none);
        }
    }

    private void any(JsonNode schemas, JsonNode value, String path) {
        List<Validation> tried = tried(schemas, value, path);
        if (!tried.isEmpty() && fitting(tried) == 0) {
            refuse(path, "must validate at least one schema (anyOf)");
            causes.addAll(mostTelling(tried).causes);
        }
    }

    private void one(JsonNode schemas, JsonNode value, String path) {
        List<Validation> tried = tried(schemas, value, path);
        long fitting = fitting(tried);
        if (tried.isEmpty() || fitting == 1) {
            return;
        }
        String found = fitting == 0 ? "Found none valid" : "Found " + fitting + " valid alternatives";
        refuse(path, "must validate one and only one schema (oneOf). " + found);
        if (fitting == 0) {
            causes.addAll(mostTelling(tried).causes);
        }
    }

    /** Failures of combinations are about no field, as the library behind Kubernetes tells them. */
    private void refuse(String path, String rule) {
        causes.add(Cause.invalid("<nil>", "\"\"", "\"" + path + "\" " + rule));
    }

    private static List<Validation> tried(JsonNode schemas, JsonNode value, String path) {
        return schemas.valueStream().map(each -> inner(each, value, path)).toList();
    }

    private static long fitting(List<Validation> tried) {
        return tried.stream().filter(each -> each.causes.isEmpty()).count();
    }

    private static Validation mostTelling(List<Validation> tried) {
        Validation most = tried.getFirst();
        for (Validation each : tried) {
            most = each.looked > most.looked ? each : most;
        }
        return most;
    }

    private static Validation inner(JsonNode schema, JsonNode value, String path) {
        Validation inner = new Validation(new ArrayList<>());
        inner.value(new Schema(schema), value, null, path);
        return inner;
    }
}
