package dev.kopf4j.devcluster.strategy.apiextensions;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.schema.StructuralSchema;
import dev.kopf4j.devcluster.status.FieldError;
import java.util.ArrayList;
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
        checks.node(structuralSchema, path);
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
        for (String name : List.of("metadata", "apiVersion", "kind")) {
            if (structuralSchema.node().path("properties").path(name).has("default")) {
                causes.add(FieldError.forbidden(
                        path + ".properties[" + name + "].default", "must not be set in top-level " + name));
            }
        }
    }

    private void node(StructuralSchema structuralSchema, String path) {
        keywords(structuralSchema, path);
        additionalProperties(structuralSchema, path);
        new ListAndMapTypeValidation(causes).check(structuralSchema, path);
        below(structuralSchema, path);
    }

    private void below(StructuralSchema structuralSchema, String path) {
        structuralSchema.items().ifPresent(items -> node(items, path + ".items"));
        for (Map.Entry<String, JsonNode> entry :
                structuralSchema.node().path("properties").properties()) {
            node(new StructuralSchema(entry.getValue()), path + ".properties[" + entry.getKey() + "]");
        }
        for (String name : List.of("additionalProperties", "not")) {
            if (structuralSchema.node().path(name).isObject()) {
                node(new StructuralSchema(structuralSchema.node().path(name)), path + "." + name);
            }
        }
        for (String name : List.of("allOf", "anyOf", "oneOf")) {
            int index = 0;
            for (JsonNode each : structuralSchema.node().path(name)) {
                node(new StructuralSchema(each), path + "." + name + "[" + index++ + "]");
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
        if (additional.isBoolean() && !additional.booleanValue()) {
            causes.add(FieldError.forbidden(
                    path + ".additionalProperties", "additionalProperties cannot be set to false"));
        } else if (additional.isObject()
                && !structuralSchema.node().path("properties").isEmpty()) {
            causes.add(FieldError.forbidden(
                    path + ".additionalProperties", "additionalProperties and properties are mutual exclusive"));
        }
    }
}
