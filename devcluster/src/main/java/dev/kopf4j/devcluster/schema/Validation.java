package dev.kopf4j.devcluster.schema;

import dev.kopf4j.devcluster.json.Equality;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.Cause;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Finds what is wrong with a value by its schema, as {@code pkg/validation/validate} of kube-openapi does. A value that
 * an update leaves as it was is not looked at again (validation ratcheting, KEP-4008).
 */
public final class Validation {
    private final Set<Cause> causes = new LinkedHashSet<>();
    /** How many checks were made: of several schemas none of which fits, the one that says most is told about. */
    private int checks;

    private Validation() {}

    /** All that is wrong with an object; the former state is null when there is none. */
    public static List<Cause> validate(Schema schema, ObjectNode object, @Nullable JsonNode before) {
        Validation validation = new Validation();
        validation.fields(schema, object, before, "");
        validation.required(schema, object, "");
        validation.combinations(schema, object, before, "");
        List<Cause> causes = new ArrayList<>(validation.causes);
        causes.addAll(EmbeddedResources.check(schema, object));
        if (before == null || ListTypes.check(schema, before).isEmpty()) {
            causes.addAll(ListTypes.check(schema, object));
        }
        return causes;
    }

    private void value(Schema schema, JsonNode value, @Nullable JsonNode before, String path) {
        if (before == null || !Equality.same(before, value)) {
            checked(schema, value, before, path);
        }
    }

    /** The validators of kube-openapi in their order, each of them counted as there. */
    private void checked(Schema schema, JsonNode value, @Nullable JsonNode before, String path) {
        if (value.isNull()) {
            nothing(schema, path);
            enumeration(schema, value, path);
            return;
        }
        type(schema, value, path);
        combinations(schema, value, before, path);
        if (value.isString()) {
            checks += 1 + (Formats.of(schema).isEmpty() ? 0 : 1);
            causes.addAll(Scalars.text(schema, value.stringValue(), path));
        } else if (value.isNumber()) {
            checks += 2;
            causes.addAll(Scalars.number(schema, value, path));
        } else if (value instanceof ArrayNode array) {
            checks += 2;
            array(schema, array, before, path);
        }
        enumeration(schema, value, path);
        if (value instanceof ObjectNode object) {
            checks++;
            object(schema, object, before, path);
        }
        checks += 2;
    }

    private void nothing(Schema schema, String path) {
        String types = Types.of(schema);
        if (types.isEmpty() || schema.flag("nullable")) {
            checks++;
        } else {
            wrongType(new Types.Mismatch(types, "null"), path);
        }
    }

    private void type(Schema schema, JsonNode value, String path) {
        if (Types.of(schema).isEmpty() && Formats.of(schema).isEmpty()) {
            return;
        }
        Optional<Types.Mismatch> mismatch = Types.mismatch(schema, value);
        mismatch.ifPresent(found -> wrongType(found, path));
        checks += mismatch.isPresent() ? 1 : 2;
    }

    private void wrongType(Types.Mismatch mismatch, String path) {
        String found = Cause.quote(mismatch.found());
        String message = "Invalid value: " + found + ": " + path + " in body must be of type " + mismatch.expected()
                + ": " + found;
        causes.add(new Cause(Cause.Type.TYPE_INVALID, message, path));
    }

    private void object(Schema schema, ObjectNode object, @Nullable JsonNode before, String path) {
        Optional<Cause> miscounted = count(schema, object.size(), "Properties", "properties", path);
        if (miscounted.isPresent()) {
            causes.add(miscounted.get()); // and nothing is said about the fields
            return;
        }
        fields(schema, object, before, path);
        required(schema, object, path);
    }

    private void fields(Schema schema, ObjectNode object, @Nullable JsonNode before, String path) {
        for (Map.Entry<String, JsonNode> entry : object.properties()) {
            String name = entry.getKey();
            JsonNode former = before == null ? null : before.get(name);
            String below = path.isEmpty() ? name : path + "." + name;
            schema.field(name).ifPresent(field -> value(field, entry.getValue(), former, below));
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
        schema.items().ifPresent(items -> {
            for (int index = 0; index < array.size(); index++) {
                JsonNode item = array.get(index);
                JsonNode former = before == null ? null : ListTypes.counterpart(schema, item, before, index);
                value(items, item, former, path + "[" + index + "]");
            }
        });
        count(schema, array.size(), "Items", "items", path).ifPresent(causes::add);
        if (schema.flag("uniqueItems") && ListTypes.repeats(array)) {
            causes.add(Cause.invalid(path, "\"\"", path + " in body shouldn't contain duplicates"));
        }
    }

    private static Optional<Cause> count(Schema schema, int size, String keyword, String words, String path) {
        JsonNode min = schema.node().path("min" + keyword);
        if (min.isNumber() && size < min.longValue()) {
            return Optional.of(Cause.invalid(
                    path,
                    String.valueOf(size),
                    path + " in body should have at least " + min.longValue() + " " + words));
        }
        JsonNode max = schema.node().path("max" + keyword);
        if (max.isNumber() && size > max.longValue()) {
            String rule = "must have at most " + max.longValue() + (max.longValue() == 1 ? " item" : " items");
            return Optional.of(new Cause(Cause.Type.TOO_MANY, "Too many: " + size + ": " + rule, path));
        }
        return Optional.empty();
    }

    private void enumeration(Schema schema, JsonNode value, String path) {
        JsonNode allowed = schema.node().path("enum");
        if (allowed.isEmpty()) {
            return;
        }
        List<String> words = new ArrayList<>();
        for (JsonNode each : allowed) {
            if (!value.isNull() && Equality.same(each, value)) {
                return;
            }
            words.add(each.isString() ? each.stringValue() : Json.text(each));
        }
        causes.add(Cause.notSupported(path, value.isNull() ? "\"null\"" : Json.text(value), words));
    }

    private void combinations(Schema schema, JsonNode value, @Nullable JsonNode before, String path) {
        checks += 2;
        any(tried(schema, "anyOf", value, before, path), path);
        one(tried(schema, "oneOf", value, before, path), path);
        all(tried(schema, "allOf", value, before, path), path);
        JsonNode not = schema.node().path("not");
        if (not.isObject() && tried(new Schema(not), value, before, path).fits()) {
            refuse(path, "must not validate the schema (not)");
        }
    }

    private void any(List<Validation> tried, String path) {
        Optional<Validation> first = tried.stream().filter(Validation::fits).findFirst();
        if (!tried.isEmpty() && first.isEmpty()) {
            refuse(path, "must validate at least one schema (anyOf)");
            merge(mostTelling(tried));
        }
        first.ifPresent(this::merge);
    }

    private void one(List<Validation> tried, String path) {
        List<Validation> fitting = tried.stream().filter(Validation::fits).toList();
        if (fitting.size() == 1) {
            merge(fitting.getFirst());
        } else if (!fitting.isEmpty()) {
            refuse(
                    path,
                    "must validate one and only one schema (oneOf). Found " + fitting.size() + " valid alternatives");
        } else if (!tried.isEmpty()) {
            refuse(path, "must validate one and only one schema (oneOf). Found none valid");
            merge(mostTelling(tried));
        }
    }

    private void all(List<Validation> tried, String path) {
        tried.forEach(this::merge);
        long fitting = tried.stream().filter(Validation::fits).count();
        if (fitting < tried.size()) {
            refuse(path, "must validate all the schemas (allOf)" + (fitting == 0 ? ". None validated" : ""));
        }
    }

    /** Failures of combinations are about no field, as the library behind Kubernetes tells them. */
    private void refuse(String path, String rule) {
        causes.add(Cause.invalid("<nil>", "\"\"", "\"" + path + "\" " + rule));
    }

    private boolean fits() {
        return causes.isEmpty();
    }

    private void merge(Validation other) {
        causes.addAll(other.causes);
        checks += other.checks;
    }

    private static Validation mostTelling(List<Validation> tried) {
        Validation most = tried.getFirst();
        for (Validation each : tried) {
            most = each.checks > most.checks ? each : most;
        }
        return most;
    }

    private static List<Validation> tried(
            Schema schema, String keyword, JsonNode value, @Nullable JsonNode before, String path) {
        return schema.node()
                .path(keyword)
                .valueStream()
                .map(each -> tried(new Schema(each), value, before, path))
                .toList();
    }

    /** One schema of several: what an update leaves as it was is passed over below it, not the value itself. */
    private static Validation tried(Schema schema, JsonNode value, @Nullable JsonNode before, String path) {
        Validation inner = new Validation();
        inner.checked(schema, value, before, path);
        return inner;
    }
}
