package dev.kopf4j.devcluster.cel;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructType;
import dev.kopf4j.devcluster.schema.StructuralSchema;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * The types of a schema's values in expressions: with them a misspelt field is an error of the definition, not of its
 * objects. Follows {@code pkg/cel/common/schemas.go} of the apiserver library, v1.33.
 */
final class CelSchemaTypes {
    private final Map<String, CelType> named = new HashMap<>();

    Map<String, CelType> named() {
        return named;
    }

    CelType of(StructuralSchema structuralSchema, String path, boolean resource) {
        if (structuralSchema.flag("x-kubernetes-int-or-string")) {
            return SimpleType.DYN;
        }
        if (structuralSchema.keepsUnknown()
                && structuralSchema.node().path("properties").isEmpty()
                && !resource) {
            return SimpleType.DYN;
        }
        return switch (structuralSchema.type()) {
            case "object" -> object(structuralSchema, path, resource);
            case "array" ->
                ListType.create(structuralSchema
                        .items()
                        .map(items -> of(items, path + ".@items", items.embedsResource()))
                        .orElse(SimpleType.DYN));
            case "string" -> string(structuralSchema);
            case "boolean" -> SimpleType.BOOL;
            case "integer" -> SimpleType.INT;
            case "number" -> SimpleType.DOUBLE;
            default -> SimpleType.DYN;
        };
    }

    private static CelType string(StructuralSchema structuralSchema) {
        if (structuralSchema.flag("nullable")) {
            return SimpleType.DYN;
        }
        return switch (structuralSchema.node().path("format").asString("")) {
            case "byte" -> SimpleType.BYTES;
            case "duration" -> SimpleType.DURATION;
            case "date", "date-time" -> SimpleType.TIMESTAMP;
            default -> SimpleType.STRING;
        };
    }

    private CelType object(StructuralSchema structuralSchema, String path, boolean resource) {
        JsonNode additional = structuralSchema.node().path("additionalProperties");
        if (additional.isObject()) {
            return MapType.create(SimpleType.STRING, of(new StructuralSchema(additional), path + ".@values", false));
        }
        Map<String, CelType> fields = new HashMap<>();
        structuralSchema
                .node()
                .path("properties")
                .properties()
                .forEach(entry -> fields.put(
                        FieldNameEscaping.escape(entry.getKey()),
                        of(new StructuralSchema(entry.getValue()), path + "." + entry.getKey(), false)));
        if (resource || structuralSchema.embedsResource()) {
            fields.put("apiVersion", SimpleType.STRING);
            fields.put("kind", SimpleType.STRING);
            fields.put("metadata", metadata(path + ".metadata"));
        }
        return struct(path, fields);
    }

    /** Expressions can read only the names in the metadata. */
    private CelType metadata(String path) {
        return struct(path, Map.of("name", SimpleType.STRING, "generateName", SimpleType.STRING));
    }

    private CelType struct(String path, Map<String, CelType> fields) {
        ImmutableMap<String, CelType> fixed = ImmutableMap.copyOf(fields);
        StructType type = StructType.create(
                path, ImmutableSet.copyOf(fields.keySet()), name -> Optional.ofNullable(fixed.get(name)));
        named.put(path, type);
        return type;
    }
}
