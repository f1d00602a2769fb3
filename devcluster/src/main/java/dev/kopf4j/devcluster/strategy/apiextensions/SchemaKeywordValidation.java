package dev.kopf4j.devcluster.strategy.apiextensions;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.schema.StructuralSchema;
import dev.kopf4j.devcluster.status.FieldError;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;

/**
 * Validates the keywords of schemas in definitions, at any depth:
 * {@code pkg/apis/apiextensions/validation/validation.go} of apiextensions-apiserver, v1.33.
 */
final class SchemaKeywordValidation {
    private static final Set<String> TYPES =
            new TreeSet<>(Set.of("object", "array", "string", "integer", "number", "boolean"));
    private static final Set<String> META = Set.of("metadata", "apiVersion", "kind");
    private static final List<String> UNSUPPORTED =
            List.of("id", "additionalItems", "patternProperties", "definitions", "dependencies", "$ref");
    /** The keywords that the root may have, besides a type, if there is a status subresource. */
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

    private final List<FieldError> causes = new ArrayList<>();

    private SchemaKeywordValidation() {}

    /**
     * The errors of a schema.
     *
     * @param path the path of the schema
     */
    static List<FieldError> check(StructuralSchema structuralSchema, boolean status, String path) {
        SchemaKeywordValidation checks = new SchemaKeywordValidation();
        checks.root(structuralSchema, status, path);
        checks.node(structuralSchema, Within.ROOT, path);
        return checks.causes;
    }

    private void root(StructuralSchema structuralSchema, boolean status, String path) {
        boolean other =
                structuralSchema.node().propertyStream().anyMatch(entry -> !WITH_STATUS.contains(entry.getKey()));
        if (status && other) {
            causes.add(FieldError.invalid(
                    path,
                    Json.text(structuralSchema.node()),
                    "only [Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength"
                            + " MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties"
                            + " ExternalDocs Example XPreserveUnknownFields XValidations] fields are allowed at the root"
                            + " of the schema if the status subresource is enabled"));
        }
        if (structuralSchema.flag("nullable")) {
            causes.add(FieldError.forbidden(path + ".nullable", "nullable cannot be true at the root"));
        }
    }

    /**
     * Where a schema stands: {@code specStandardValidatorV3}.
     *
     * @param root whether it is that of the whole object
     * @param meta whether it is within the type or metadata of a resource
     * @param noDefaults where defaults are forbidden; empty if they are not
     */
    private record Within(boolean root, boolean meta, String noDefaults) {
        static final Within ROOT = new Within(true, false, "");

        Within property(StructuralSchema of, String name) {
            boolean ofResource = (root || of.embedsResource()) && META.contains(name);
            return new Within(false, meta || ofResource, ofResource && root ? "in top-level " + name : noDefaults);
        }

        Within additional() {
            return new Within(
                    false, meta, meta ? "inside additionalProperties applying to object metadata" : noDefaults);
        }

        Within inner() {
            return new Within(false, meta, noDefaults);
        }
    }

    private void node(StructuralSchema structuralSchema, Within within, String path) {
        keywords(structuralSchema, path);
        if (!within.noDefaults().isEmpty() && structuralSchema.node().has("default")) {
            causes.add(FieldError.forbidden(path + ".default", "must not be set " + within.noDefaults()));
        }
        if (within.meta() && structuralSchema.embedsResource()) {
            causes.add(FieldError.forbidden(
                    path + ".x-kubernetes-embedded-resource", "must not be used inside of resource meta"));
        }
        additionalProperties(structuralSchema, path);
        new ListAndMapTypeValidation(causes).check(structuralSchema, path);
        below(structuralSchema, within, path);
    }

    private void below(StructuralSchema structuralSchema, Within within, String path) {
        structuralSchema.items().ifPresent(items -> node(items, within.inner(), path + ".items"));
        for (Map.Entry<String, JsonNode> entry :
                structuralSchema.node().path("properties").properties()) {
            node(
                    new StructuralSchema(entry.getValue()),
                    within.property(structuralSchema, entry.getKey()),
                    path + ".properties[" + entry.getKey() + "]");
        }
        for (String name : List.of("additionalProperties", "not")) {
            if (structuralSchema.node().path(name).isObject()) {
                node(
                        new StructuralSchema(structuralSchema.node().path(name)),
                        name.equals("not") ? within.inner() : within.additional(),
                        path + "." + name);
            }
        }
        for (String name : List.of("allOf", "anyOf", "oneOf")) {
            int index = 0;
            for (JsonNode each : structuralSchema.node().path(name)) {
                node(new StructuralSchema(each), within.inner(), path + "." + name + "[" + index++ + "]");
            }
        }
    }

    private void keywords(StructuralSchema structuralSchema, String path) {
        String type = structuralSchema.type();
        if (!type.isEmpty() && !TYPES.contains(type)) {
            causes.add(FieldError.notSupported(path + ".type", FieldError.quote(type), TYPES));
        }
        for (String name : UNSUPPORTED) {
            if (!structuralSchema.node().path(name).isMissingNode()) {
                causes.add(FieldError.forbidden(path + "." + name, name + " is not supported"));
            }
        }
        if (structuralSchema.node().path("items").isArray()) {
            causes.add(FieldError.forbidden(path + ".items", "items must be a schema object and not an array"));
        }
        if (structuralSchema.flag("uniqueItems")) {
            causes.add(FieldError.forbidden(
                    path + ".uniqueItems",
                    "uniqueItems cannot be set to true since the runtime complexity becomes quadratic"));
        }
        JsonNode open = structuralSchema.node().path("x-kubernetes-preserve-unknown-fields");
        if (open.isBoolean() && !open.booleanValue()) {
            causes.add(FieldError.invalid(
                    path + ".x-kubernetes-preserve-unknown-fields", "false", "must be true or undefined"));
        }
    }

    private void additionalProperties(StructuralSchema structuralSchema, String path) {
        JsonNode additional = structuralSchema.node().path("additionalProperties");
        boolean closed = additional.isBoolean() && !additional.booleanValue();
        if ((closed || additional.isObject())
                && !structuralSchema.node().path("properties").isEmpty()) {
            causes.add(FieldError.forbidden(
                    path + ".additionalProperties", "additionalProperties and properties are mutual exclusive"));
        }
    }

    /**
     * Validates {@code x-kubernetes-list-type}, its keys, and {@code x-kubernetes-map-type} at one place of a schema:
     * {@code ValidateCustomResourceDefinitionOpenAPISchema} in {@code pkg/apis/apiextensions/validation/validation.go}
     * of apiextensions-apiserver, v1.33.
     */
    private static final class ListAndMapTypeValidation {
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
                    && structuralSchema
                            .items()
                            .map(items -> items.flag("nullable"))
                            .orElse(false)) {
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
            boolean atomic = found.equals("atomic") || (found.isEmpty() && extension.equals(LIST_TYPE));
            if (!extension.isEmpty() && !atomic) {
                causes.add(FieldError.invalid(
                        path + "." + extension,
                        found.isEmpty() ? "\"null\"" : FieldError.quote(found),
                        "must be atomic as item of a list with x-kubernetes-list-type=set"));
            }
        }

        private void mapItems(StructuralSchema structuralSchema, String path) {
            if (structuralSchema.node().path(LIST_KEYS).isEmpty()) {
                causes.add(FieldError.required(
                        path + "." + LIST_KEYS, "must not be empty if x-kubernetes-list-type is map"));
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
            boolean required = Json.items(items, "required")
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
}
