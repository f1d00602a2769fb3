package dev.kopf4j.devcluster.kind.builtin;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.schema.Schema;
import dev.kopf4j.devcluster.schema.Validation;
import dev.kopf4j.devcluster.status.Cause;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Whether a schema is structural: types everywhere, list keys that exist, defaults that fit. */
final class Structural {
    private static final Set<String> TYPES = Set.of("object", "array", "string", "integer", "number", "boolean");
    private final List<Cause> causes = new ArrayList<>();

    private Structural() {}

    /** What is wrong, by the path of the schema. */
    static List<Cause> check(Schema schema, String path) {
        Structural structural = new Structural();
        if (!schema.type().equals("object")) {
            structural.causes.add(
                    schema.type().isEmpty()
                            ? Cause.required(path + ".type", "must not be empty at the root")
                            : Cause.invalidString(path + ".type", schema.type(), "must be object at the root"));
        }
        structural.below(schema, path);
        return structural.causes;
    }

    private void node(Schema schema, String path, String role) {
        boolean open = schema.flag("x-kubernetes-int-or-string") || schema.flag("x-kubernetes-preserve-unknown-fields");
        if (schema.type().isEmpty() && !open) {
            causes.add(Cause.required(path + ".type", "must not be empty for specified " + role));
        } else if (!schema.type().isEmpty() && !TYPES.contains(schema.type())) {
            causes.add(Cause.notSupported(path + ".type", Cause.quote(schema.type()), new java.util.TreeSet<>(TYPES)));
        }
        preset(schema, path);
        below(schema, path);
    }

    private void below(Schema schema, String path) {
        for (Map.Entry<String, JsonNode> entry :
                schema.node().path("properties").properties()) {
            boolean metadata =
                    path.endsWith("openAPIV3Schema") && entry.getKey().equals("metadata");
            if (!metadata) {
                node(new Schema(entry.getValue()), path + ".properties[" + entry.getKey() + "]", "object fields");
            }
        }
        JsonNode additional = schema.node().path("additionalProperties");
        if (additional.isObject()) {
            if (!schema.node().path("properties").isEmpty()) {
                causes.add(Cause.forbidden(
                        path + ".additionalProperties", "additionalProperties and properties are mutual exclusive"));
            }
            node(new Schema(additional), path + ".additionalProperties", "object fields");
        }
        if (schema.type().equals("array")) {
            list(schema, path);
        }
        for (String list : List.of("allOf", "anyOf", "oneOf")) {
            int index = 0;
            for (JsonNode each : schema.node().path(list)) {
                nested(schema, new Schema(each), path + "." + list + "[" + index++ + "]", path);
            }
        }
        if (schema.node().path("not").isObject()) {
            nested(schema, new Schema(schema.node().path("not")), path + ".not", path);
        }
        if (schema.flag("uniqueItems")) {
            causes.add(Cause.forbidden(
                    path + ".uniqueItems",
                    "uniqueItems cannot be set to true since the runtime" + " complexity becomes quadratic"));
        }
    }

    /** Schemas in combinations only narrow what is described outside of them. */
    private void nested(Schema outer, Schema inner, String path, String outerPath) {
        boolean either = outer.flag("x-kubernetes-int-or-string");
        for (String field : List.of("type", "title", "description", "default", "nullable", "additionalProperties")) {
            if (inner.node().has(field) && !(either && field.equals("type"))) {
                causes.add(Cause.forbidden(path + "." + field, "must be empty to be structural"));
            }
        }
        inner.node().propertyNames().stream()
                .filter(name -> name.startsWith("x-kubernetes-") && !name.equals("x-kubernetes-validations"))
                .forEach(name -> causes.add(Cause.forbidden(path + "." + name, "must be empty to be structural")));
        for (Map.Entry<String, JsonNode> property :
                inner.node().path("properties").properties()) {
            String name = property.getKey();
            JsonNode described = outer.node().path("properties").path(name);
            boolean open = outer.node().path("additionalProperties").isObject() || outer.keepsUnknown();
            String where = path + ".properties[" + name + "]";
            if (!described.isObject() && !open) {
                causes.add(
                        Cause.required(outerPath + ".properties[" + name + "]", "because it is defined in " + where));
            }
            Schema below = new Schema(described);
            nested(below, new Schema(property.getValue()), where, outerPath + ".properties[" + name + "]");
        }
        for (String list : List.of("allOf", "anyOf", "oneOf")) {
            int index = 0;
            for (JsonNode each : inner.node().path(list)) {
                nested(outer, new Schema(each), path + "." + list + "[" + index++ + "]", outerPath);
            }
        }
        if (inner.node().path("not").isObject()) {
            nested(outer, new Schema(inner.node().path("not")), path + ".not", outerPath);
        }
    }

    private void list(Schema schema, String path) {
        if (schema.items().isEmpty()) {
            causes.add(Cause.required(path + ".items", "must be specified"));
            return;
        }
        schema.items().ifPresent(items -> node(items, path + ".items", "array items"));
        JsonNode keys = schema.node().path("x-kubernetes-list-map-keys");
        if (schema.listType().equals("map") && keys.isEmpty()) {
            causes.add(Cause.required(
                    path + ".x-kubernetes-list-map-keys", "must not be empty if" + " x-kubernetes-list-type is map"));
        }
        int index = 0;
        for (JsonNode key : keys) {
            JsonNode items = schema.node().path("items");
            String name = key.stringValue();
            if (!items.path("properties").has(name)) {
                causes.add(Cause.invalidString(
                        path + ".x-kubernetes-list-map-keys[" + index + "]",
                        name,
                        "entries must all be names of item properties"));
            } else if (!required(items, name)
                    && !items.path("properties").path(name).has("default")) {
                causes.add(Cause.required(
                        path + ".items.properties[" + name + "].default",
                        "this property is in x-kubernetes-list-map-keys, so it must have a default or be a required"
                                + " property"));
            }
            index++;
        }
    }

    private static boolean required(JsonNode schema, String name) {
        return schema.path("required")
                .valueStream()
                .anyMatch(each -> each.stringValue().equals(name));
    }

    private void preset(Schema schema, String path) {
        JsonNode preset = schema.node().get("default");
        if (preset == null) {
            return;
        }
        ObjectNode holder = Json.object();
        holder.set("default", preset);
        ObjectNode properties = Json.object().put("type", "object");
        properties.putObject("properties").set("default", schema.node());
        for (Cause cause : Validation.validate(new Schema(properties), holder, null)) {
            String below = cause.field().substring("default".length());
            causes.add(new Cause(
                    cause.type(), cause.message().replace("default in body", " in body"), path + ".default" + below));
        }
    }
}
