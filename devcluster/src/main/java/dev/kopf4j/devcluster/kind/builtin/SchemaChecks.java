package dev.kopf4j.devcluster.kind.builtin;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.schema.Schema;
import dev.kopf4j.devcluster.status.Cause;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;

/**
 * What schemas of definitions may say at all, by {@code pkg/apis/apiextensions/validation} of apiextensions-apiserver
 * v1.33, wherever in the schema.
 */
final class SchemaChecks {
    private static final String LIST_TYPE = "x-kubernetes-list-type";
    private static final String MAP_TYPE = "x-kubernetes-map-type";
    private static final String LIST_KEYS = "x-kubernetes-list-map-keys";
    private static final Set<String> TYPES =
            new TreeSet<>(Set.of("object", "array", "string", "integer", "number", "boolean"));
    private static final List<String> UNSUPPORTED =
            List.of("id", "additionalItems", "patternProperties", "definitions", "dependencies", "$ref");
    /** What the root may have besides a type if there is a subresource for the status. */
    private static final Set<String> WITH_STATUS = Set.of(
            "description",
            "type",
            "format",
            "title",
            "maximum",
            "exclusiveMaximum",
            "minimum",
            "exclusiveMinimum",
            "maxLength",
            "minLength",
            "pattern",
            "maxItems",
            "minItems",
            "uniqueItems",
            "multipleOf",
            "required",
            "items",
            "properties",
            "externalDocs",
            "example",
            "x-kubernetes-preserve-unknown-fields",
            "x-kubernetes-validations");

    private final List<Cause> causes = new ArrayList<>();

    private SchemaChecks() {}

    /** What is wrong, by the path of the schema. */
    static List<Cause> check(Schema schema, boolean status, String path) {
        SchemaChecks checks = new SchemaChecks();
        checks.root(schema, status, path);
        checks.node(schema, path);
        return checks.causes;
    }

    private void root(Schema schema, boolean status, String path) {
        boolean other = schema.node().propertyStream().anyMatch(entry -> !WITH_STATUS.contains(entry.getKey()));
        if (status && other) {
            causes.add(Cause.invalid(
                    path,
                    Json.text(schema.node()),
                    "only [Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength"
                            + " MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties"
                            + " ExternalDocs Example XPreserveUnknownFields XValidations] fields are allowed at the root"
                            + " of the schema if the status subresource is enabled"));
        }
        if (schema.flag("nullable")) {
            causes.add(Cause.forbidden(path + ".nullable", "nullable cannot be true at the root"));
        }
        for (String name : List.of("metadata", "apiVersion", "kind")) {
            if (schema.node().path("properties").path(name).has("default")) {
                causes.add(Cause.forbidden(
                        path + ".properties[" + name + "].default", "must not be set in top-level " + name));
            }
        }
    }

    private void node(Schema schema, String path) {
        words(schema, path);
        fields(schema, path);
        mapType(schema, path);
        listType(schema, path);
        keys(schema, path);
        below(schema, path);
    }

    private void below(Schema schema, String path) {
        schema.items().ifPresent(items -> node(items, path + ".items"));
        for (Map.Entry<String, JsonNode> entry :
                schema.node().path("properties").properties()) {
            node(new Schema(entry.getValue()), path + ".properties[" + entry.getKey() + "]");
        }
        for (String name : List.of("additionalProperties", "not")) {
            if (schema.node().path(name).isObject()) {
                node(new Schema(schema.node().path(name)), path + "." + name);
            }
        }
        for (String name : List.of("allOf", "anyOf", "oneOf")) {
            int index = 0;
            for (JsonNode each : schema.node().path(name)) {
                node(new Schema(each), path + "." + name + "[" + index++ + "]");
            }
        }
    }

    private void words(Schema schema, String path) {
        String type = schema.type();
        if (!type.isEmpty() && !TYPES.contains(type)) {
            causes.add(Cause.notSupported(path + ".type", Cause.quote(type), TYPES));
        }
        for (String name : UNSUPPORTED) {
            if (!schema.node().path(name).isMissingNode()) {
                causes.add(Cause.forbidden(path + "." + name, name + " is not supported"));
            }
        }
        if (schema.node().path("items").isArray()) {
            causes.add(Cause.forbidden(path + ".items", "items must be a schema object and not an array"));
        }
        if (schema.flag("uniqueItems")) {
            causes.add(Cause.forbidden(
                    path + ".uniqueItems",
                    "uniqueItems cannot be set to true since the runtime complexity becomes quadratic"));
        }
        JsonNode open = schema.node().path("x-kubernetes-preserve-unknown-fields");
        if (open.isBoolean() && !open.booleanValue()) {
            causes.add(Cause.invalid(
                    path + ".x-kubernetes-preserve-unknown-fields", "false", "must be true or undefined"));
        }
    }

    private void fields(Schema schema, String path) {
        JsonNode additional = schema.node().path("additionalProperties");
        if (additional.isBoolean() && !additional.booleanValue()) {
            causes.add(Cause.forbidden(path + ".additionalProperties", "additionalProperties cannot be set to false"));
        } else if (additional.isObject() && !schema.node().path("properties").isEmpty()) {
            causes.add(Cause.forbidden(
                    path + ".additionalProperties", "additionalProperties and properties are mutual exclusive"));
        }
    }

    private void mapType(Schema schema, String path) {
        String mapType = Json.string(schema.node(), MAP_TYPE);
        if (mapType.isEmpty()) {
            return;
        }
        demand("object", schema, MAP_TYPE, path);
        if (!Set.of("atomic", "granular").contains(mapType)) {
            causes.add(Cause.notSupported(path + "." + MAP_TYPE, Cause.quote(mapType), List.of("atomic", "granular")));
        }
    }

    private boolean demand(String type, Schema schema, String extension, String path) {
        if (schema.type().equals(type)) {
            return true;
        }
        String rule = "must be " + type + " if " + extension + " is specified";
        causes.add(
                schema.type().isEmpty()
                        ? Cause.required(path + ".type", rule)
                        : Cause.invalidString(path + ".type", schema.type(), rule));
        return false;
    }

    private void listType(Schema schema, String path) {
        String listType = schema.listType();
        if (listType.isEmpty() || !demand("array", schema, LIST_TYPE, path)) {
            return;
        }
        switch (listType) {
            case "atomic" -> {}
            case "set" -> schema.items().ifPresent(items -> setItems(items, path + ".items"));
            case "map" -> mapItems(schema, path);
            default ->
                causes.add(Cause.notSupported(
                        path + "." + LIST_TYPE, Cause.quote(listType), List.of("atomic", "set", "map")));
        }
        boolean keyed = Set.of("set", "map").contains(listType);
        if (keyed && schema.items().map(items -> items.flag("nullable")).orElse(false)) {
            causes.add(Cause.forbidden(
                    path + ".items.nullable", "cannot be nullable when x-kubernetes-list-type is " + listType));
        }
    }

    private void setItems(Schema items, String path) {
        String extension = switch (items.type()) {
            case "object" -> MAP_TYPE;
            case "array" -> LIST_TYPE;
            default -> "";
        };
        String found = Json.string(items.node(), extension);
        if (!extension.isEmpty() && !found.equals("atomic")) {
            causes.add(Cause.invalid(
                    path + "." + extension,
                    found.isEmpty() ? "\"null\"" : Cause.quote(found),
                    "must be atomic as item of a list with x-kubernetes-list-type=set"));
        }
    }

    private void mapItems(Schema schema, String path) {
        if (schema.node().path(LIST_KEYS).isEmpty()) {
            causes.add(Cause.required(path + "." + LIST_KEYS, "must not be empty if x-kubernetes-list-type is map"));
        }
        if (schema.items().isEmpty()) {
            causes.add(Cause.required(path + ".items", "must have a schema if x-kubernetes-list-type is map"));
            return;
        }
        Schema items = schema.items().get();
        if (!items.type().equals("object")) {
            causes.add(Cause.invalidString(
                    path + ".items.type",
                    items.type(),
                    "must be object if parent array's x-kubernetes-list-type is map"));
        }
    }

    private void keys(Schema schema, String path) {
        JsonNode keys = schema.node().path(LIST_KEYS);
        if (!keys.isEmpty() && !schema.listType().equals("map")) {
            String rule = "must be map if x-kubernetes-list-map-keys is non-empty";
            causes.add(
                    schema.listType().isEmpty()
                            ? Cause.required(path + "." + LIST_TYPE, rule)
                            : Cause.invalidString(path + "." + LIST_TYPE, schema.listType(), rule));
            return;
        }
        boolean objects =
                schema.items().map(items -> items.type().equals("object")).orElse(false);
        Set<String> seen = new HashSet<>();
        for (int index = 0; objects && index < keys.size(); index++) {
            key(schema, keys.get(index).stringValue(""), seen, path + "." + LIST_KEYS + "[" + index + "]", path);
        }
    }

    private void key(Schema schema, String key, Set<String> seen, String where, String path) {
        JsonNode items = schema.node().path("items");
        JsonNode property = items.path("properties").path(key);
        String described = path + ".items.properties[" + key + "]";
        if (!seen.add(key)) {
            causes.add(Cause.invalidString(where, key, "must not contain duplicate entries"));
        }
        if (!property.isObject()) {
            causes.add(Cause.invalidString(where, key, "entries must all be names of item properties"));
            return;
        }
        if (Set.of("array", "object").contains(Json.string(property, "type"))) {
            causes.add(Cause.invalidString(
                    described + ".type",
                    Json.string(property, "type"),
                    "must be a scalar type if parent array's x-kubernetes-list-type is map"));
        }
        boolean required = items.path("required")
                .valueStream()
                .anyMatch(each -> each.stringValue("").equals(key));
        if (!required && !property.has("default")) {
            causes.add(Cause.required(
                    described + ".default",
                    "this property is in x-kubernetes-list-map-keys, so it must have a default or be a required"
                            + " property"));
        }
        if (property.path("nullable").booleanValue(false)) {
            causes.add(Cause.forbidden(
                    described + ".nullable",
                    "this property is in x-kubernetes-list-map-keys, so it cannot be nullable"));
        }
    }
}
