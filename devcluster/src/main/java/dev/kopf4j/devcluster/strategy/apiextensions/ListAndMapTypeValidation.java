package dev.kopf4j.devcluster.strategy.apiextensions;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.schema.StructuralSchema;
import dev.kopf4j.devcluster.status.FieldError;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * Validates {@code x-kubernetes-list-type}, its keys, and {@code x-kubernetes-map-type} at one place of a schema:
 * {@code ValidateCustomResourceDefinitionOpenAPISchema} in {@code pkg/apis/apiextensions/validation/validation.go} of
 * apiextensions-apiserver, v1.33.
 */
final class ListAndMapTypeValidation {
    private static final String LIST_TYPE = "x-kubernetes-list-type";
    private static final String MAP_TYPE = "x-kubernetes-map-type";
    private static final String LIST_KEYS = "x-kubernetes-list-map-keys";
    private final List<FieldError> causes;

    /** Adds the errors to a list. */
    ListAndMapTypeValidation(List<FieldError> causes) {
        this.causes = causes;
    }

    void check(StructuralSchema structuralSchema, String path) {
        mapType(structuralSchema, path);
        listType(structuralSchema, path);
        keys(structuralSchema, path);
    }

    private void mapType(StructuralSchema structuralSchema, String path) {
        String mapType = Json.string(structuralSchema.node(), MAP_TYPE);
        if (mapType.isEmpty()) {
            return;
        }
        demand("object", structuralSchema, MAP_TYPE, path);
        if (!Set.of("atomic", "granular").contains(mapType)) {
            causes.add(FieldError.notSupported(
                    path + "." + MAP_TYPE, FieldError.quote(mapType), List.of("atomic", "granular")));
        }
    }

    private boolean demand(String type, StructuralSchema structuralSchema, String extension, String path) {
        if (structuralSchema.type().equals(type)) {
            return true;
        }
        String rule = "must be " + type + " if " + extension + " is specified";
        causes.add(
                structuralSchema.type().isEmpty()
                        ? FieldError.required(path + ".type", rule)
                        : FieldError.invalidString(path + ".type", structuralSchema.type(), rule));
        return false;
    }

    private void listType(StructuralSchema structuralSchema, String path) {
        String listType = structuralSchema.listType();
        if (listType.isEmpty() || !demand("array", structuralSchema, LIST_TYPE, path)) {
            return;
        }
        switch (listType) {
            case "atomic" -> {}
            case "set" -> structuralSchema.items().ifPresent(items -> setItems(items, path + ".items"));
            case "map" -> mapItems(structuralSchema, path);
            default ->
                causes.add(FieldError.notSupported(
                        path + "." + LIST_TYPE, FieldError.quote(listType), List.of("atomic", "set", "map")));
        }
        boolean keyed = Set.of("set", "map").contains(listType);
        if (keyed
                && structuralSchema.items().map(items -> items.flag("nullable")).orElse(false)) {
            causes.add(FieldError.forbidden(
                    path + ".items.nullable", "cannot be nullable when x-kubernetes-list-type is " + listType));
        }
    }

    private void setItems(StructuralSchema items, String path) {
        String extension = switch (items.type()) {
            case "object" -> MAP_TYPE;
            case "array" -> LIST_TYPE;
            default -> "";
        };
        String found = Json.string(items.node(), extension);
        if (!extension.isEmpty() && !found.equals("atomic")) {
            causes.add(FieldError.invalid(
                    path + "." + extension,
                    found.isEmpty() ? "\"null\"" : FieldError.quote(found),
                    "must be atomic as item of a list with x-kubernetes-list-type=set"));
        }
    }

    private void mapItems(StructuralSchema structuralSchema, String path) {
        if (structuralSchema.node().path(LIST_KEYS).isEmpty()) {
            causes.add(
                    FieldError.required(path + "." + LIST_KEYS, "must not be empty if x-kubernetes-list-type is map"));
        }
        if (structuralSchema.items().isEmpty()) {
            causes.add(FieldError.required(path + ".items", "must have a schema if x-kubernetes-list-type is map"));
            return;
        }
        StructuralSchema items = structuralSchema.items().get();
        if (!items.type().equals("object")) {
            causes.add(FieldError.invalidString(
                    path + ".items.type",
                    items.type(),
                    "must be object if parent array's x-kubernetes-list-type is map"));
        }
    }

    private void keys(StructuralSchema structuralSchema, String path) {
        JsonNode keys = structuralSchema.node().path(LIST_KEYS);
        if (!keys.isEmpty() && !structuralSchema.listType().equals("map")) {
            String rule = "must be map if x-kubernetes-list-map-keys is non-empty";
            causes.add(
                    structuralSchema.listType().isEmpty()
                            ? FieldError.required(path + "." + LIST_TYPE, rule)
                            : FieldError.invalidString(path + "." + LIST_TYPE, structuralSchema.listType(), rule));
            return;
        }
        boolean objects = structuralSchema
                .items()
                .map(items -> items.type().equals("object"))
                .orElse(false);
        Set<String> seen = new HashSet<>();
        for (int index = 0; objects && index < keys.size(); index++) {
            key(
                    structuralSchema,
                    keys.get(index).stringValue(""),
                    seen,
                    path + "." + LIST_KEYS + "[" + index + "]",
                    path);
        }
    }

    private void key(StructuralSchema structuralSchema, String key, Set<String> seen, String where, String path) {
        JsonNode items = structuralSchema.node().path("items");
        JsonNode property = items.path("properties").path(key);
        String described = path + ".items.properties[" + key + "]";
        if (!seen.add(key)) {
            causes.add(FieldError.invalidString(where, key, "must not contain duplicate entries"));
        }
        if (!property.isObject()) {
            causes.add(FieldError.invalidString(where, key, "entries must all be names of item properties"));
            return;
        }
        if (Set.of("array", "object").contains(Json.string(property, "type"))) {
            causes.add(FieldError.invalidString(
                    described + ".type",
                    Json.string(property, "type"),
                    "must be a scalar type if parent array's x-kubernetes-list-type is map"));
        }
        boolean required = items.path("required")
                .valueStream()
                .anyMatch(each -> each.stringValue("").equals(key));
        if (!required && !property.has("default")) {
            causes.add(FieldError.required(
                    described + ".default",
                    "this property is in x-kubernetes-list-map-keys, so it must have a default or be a required"
                            + " property"));
        }
        if (property.path("nullable").booleanValue(false)) {
            causes.add(FieldError.forbidden(
                    described + ".nullable",
                    "this property is in x-kubernetes-list-map-keys, so it cannot be nullable"));
        }
    }
}
