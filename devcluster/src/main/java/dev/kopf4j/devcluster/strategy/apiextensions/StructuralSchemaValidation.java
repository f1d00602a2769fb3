package dev.kopf4j.devcluster.strategy.apiextensions;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.schema.StructuralSchema;
import dev.kopf4j.devcluster.status.FieldError;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * Validates that a schema is structural: it has types everywhere, and combinations only narrow it;
 * {@code pkg/apiserver/schema/validation.go} of apiextensions-apiserver, v1.33. If it is structural, validates its
 * defaults.
 */
final class StructuralSchemaValidation {
    private final List<FieldError> causes = new ArrayList<>();

    private StructuralSchemaValidation() {}

    private enum Level {
        ROOT("at the root"),
        ITEM("for specified array items"),
        FIELD("for specified object fields");

        private final String words;

        Level(String words) {
            this.words = words;
        }
    }

    /**
     * The errors of a schema.
     *
     * @param path the path of the schema
     */
    static List<FieldError> check(StructuralSchema structuralSchema, String path) {
        StructuralSchemaValidation validation = new StructuralSchemaValidation();
        validation.node(structuralSchema, Level.ROOT, path);
        if (validation.causes.isEmpty()) {
            new SchemaDefaultValidation(validation.causes).check(structuralSchema, path);
        }
        return validation.causes;
    }

    private void node(StructuralSchema structuralSchema, Level level, String path) {
        if (structuralSchema.type().equals("array") && structuralSchema.items().isEmpty()) {
            causes.add(FieldError.required(path + ".items", "must be specified"));
        }
        structuralSchema.items().ifPresent(items -> node(items, Level.ITEM, path + ".items"));
        structuralSchema
                .node()
                .path("properties")
                .properties()
                .forEach(entry -> node(
                        new StructuralSchema(entry.getValue()),
                        Level.FIELD,
                        path + ".properties[" + entry.getKey() + "]"));
        JsonNode additional = structuralSchema.node().path("additionalProperties");
        if (level == Level.ROOT && structuralSchema.node().has("additionalProperties")) {
            causes.add(FieldError.forbidden(path + ".additionalProperties", "must not be used at the root"));
        }
        if (additional.isObject()) {
            node(new StructuralSchema(additional), Level.FIELD, path + ".additionalProperties");
        }
        new SchemaCombinationValidation(causes).check(structuralSchema, path);
        extensions(structuralSchema, path);
        type(structuralSchema, level, path);
        resource(structuralSchema, level, path);
    }

    private void extensions(StructuralSchema structuralSchema, String path) {
        if (!structuralSchema.flag("x-kubernetes-int-or-string")) {
            return;
        }
        for (String other : List.of("x-kubernetes-preserve-unknown-fields", "x-kubernetes-embedded-resource")) {
            if (structuralSchema.flag(other)) {
                causes.add(FieldError.invalid(
                        path + "." + other, "true", "must be false if x-kubernetes-int-or-string is true"));
            }
        }
    }

    private void type(StructuralSchema structuralSchema, Level level, String path) {
        String type = structuralSchema.type();
        boolean open = structuralSchema.flag("x-kubernetes-int-or-string")
                || structuralSchema.flag("x-kubernetes-preserve-unknown-fields");
        if (structuralSchema.embedsResource() && !type.equals("object")) {
            String rule = "must be object if x-kubernetes-embedded-resource is true";
            causes.add(
                    type.isEmpty()
                            ? FieldError.required(path + ".type", rule)
                            : FieldError.invalidString(path + ".type", type, rule));
        } else if (type.isEmpty() && !open) {
            causes.add(FieldError.required(path + ".type", "must not be empty " + level.words));
        }
        if (level == Level.ROOT && !type.isEmpty() && !type.equals("object")) {
            causes.add(FieldError.invalidString(path + ".type", type, "must be object at the root"));
        }
    }

    /** Validates the type and metadata of objects, at the root or embedded. */
    private void resource(StructuralSchema structuralSchema, Level level, String path) {
        JsonNode properties = structuralSchema.node().path("properties");
        boolean resource = level == Level.ROOT || structuralSchema.embedsResource();
        if (structuralSchema.embedsResource() && structuralSchema.node().has("additionalProperties")) {
            causes.add(FieldError.forbidden(
                    path + ".additionalProperties", "must not be used if x-kubernetes-embedded-resource is set"));
        }
        for (String name : List.of("kind", "apiVersion", "metadata")) {
            String wanted = name.equals("metadata") ? "object" : "string";
            String found = Json.string(properties, name, "type");
            if (resource && properties.has(name) && !found.equals(wanted)) {
                causes.add(
                        FieldError.invalidString(path + ".properties[" + name + "].type", found, "must be " + wanted));
            }
        }
        if (level == Level.ROOT && properties.has("metadata")) {
            metadata(properties.path("metadata"), path + ".properties[metadata]");
        }
        if (structuralSchema.embedsResource()
                && !structuralSchema.flag("x-kubernetes-preserve-unknown-fields")
                && properties.isEmpty()) {
            causes.add(FieldError.required(
                    path + ".properties",
                    "must not be empty if x-kubernetes-embedded-resource is true without"
                            + " x-kubernetes-preserve-unknown-fields"));
        }
    }

    private void metadata(JsonNode metadata, String path) {
        boolean others = metadata.propertyStream()
                .anyMatch(entry -> !Set.of("type", "default", "properties").contains(entry.getKey()));
        boolean otherFields = metadata.path("properties")
                .propertyStream()
                .anyMatch(entry -> !Set.of("name", "generateName").contains(entry.getKey()));
        if (others || otherFields) {
            causes.add(FieldError.forbidden(
                    path,
                    "must not specify anything other than name and generateName, but metadata is implicitly"
                            + " specified"));
        }
    }
}
