package dev.kopf4j.devcluster.strategy.apiextensions;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.schema.SchemaPruning;
import dev.kopf4j.devcluster.schema.SchemaValidation;
import dev.kopf4j.devcluster.schema.StructuralSchema;
import dev.kopf4j.devcluster.status.FieldError;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Validates that the defaults in a schema fit it: {@code pkg/apiserver/schema/defaulting/validation.go} of
 * apiextensions-apiserver, v1.33.
 */
final class SchemaDefaultValidation {
    private final List<FieldError> causes;

    /** Adds the errors to a list. */
    SchemaDefaultValidation(List<FieldError> causes) {
        this.causes = causes;
    }

    void check(StructuralSchema structuralSchema, String path) {
        ofField(structuralSchema, path);
        structuralSchema.items().ifPresent(items -> check(items, path + ".items"));
        structuralSchema
                .node()
                .path("properties")
                .properties()
                .forEach(entry ->
                        check(new StructuralSchema(entry.getValue()), path + ".properties[" + entry.getKey() + "]"));
        JsonNode additional = structuralSchema.node().path("additionalProperties");
        if (additional.isObject()) {
            check(new StructuralSchema(additional), path + ".additionalProperties");
        }
    }

    private void ofField(StructuralSchema structuralSchema, String path) {
        JsonNode preset = structuralSchema.node().get("default");
        if (preset == null) {
            return;
        }
        ObjectNode holder = Json.object();
        holder.set("default", preset);
        ObjectNode properties = Json.object().put("type", "object");
        properties.putObject("properties").set("default", structuralSchema.node());
        List<String> unknown = new ArrayList<>();
        SchemaPruning.prune(new StructuralSchema(properties), holder.deepCopy(), unknown);
        if (!unknown.isEmpty()) {
            causes.add(FieldError.invalid(path + ".default", Json.text(preset), "must not have unknown fields"));
        }
        for (FieldError fieldError : SchemaValidation.validate(new StructuralSchema(properties), holder, null)) {
            String below = fieldError.field().startsWith("default")
                    ? fieldError.field().substring("default".length())
                    : "";
            causes.add(new FieldError(
                    fieldError.type(),
                    fieldError.message().replace("default in body", " in body"),
                    path + ".default" + below));
        }
    }
}
