package dev.kopf4j.devcluster.cel;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructType;
import dev.kopf4j.devcluster.schema.Schema;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** The types of expressions over a schema, so that a misspelt field is told when the definition is made. */
final class SchemaTypes {
    private final Map<String, CelType> named = new HashMap<>();

    Map<String, CelType> named() {
        return named;
    }

    CelType of(Schema schema, String path, boolean resource) {
        if (schema.flag("x-kubernetes-int-or-string")) {
            return SimpleType.DYN;
        }
        if (schema.keepsUnknown() && schema.node().path("properties").isEmpty() && !resource) {
            return SimpleType.DYN;
        }
        return switch (schema.type()) {
            case "object" -> object(schema, path, resource);
            case "array" ->
                ListType.create(schema.items()
                        .map(items -> of(items, path + ".@items", items.embedsResource()))
                        .orElse(SimpleType.DYN));
            case "string" -> string(schema);
            case "boolean" -> SimpleType.BOOL;
            case "integer" -> SimpleType.INT;
            case "number" -> SimpleType.DOUBLE;
            default -> SimpleType.DYN;
        };
    }

    private static CelType string(Schema schema) {
        if (schema.flag("nullable")) {
            return SimpleType.DYN;
        }
        return switch (schema.node().path("format").asString("")) {
            case "byte" -> SimpleType.BYTES;
            case "duration" -> SimpleType.DURATION;
            case "date", "date-time" -> SimpleType.TIMESTAMP;
            default -> SimpleType.STRING;
        };
    }

    private CelType object(Schema schema, String path, boolean resource) {
        JsonNode additional = schema.node().path("additionalProperties");
        if (additional.isObject()) {
            return MapType.create(SimpleType.STRING, of(new Schema(additional), path + ".@values", false));
        }
        Map<String, CelType> fields = new HashMap<>();
        schema.node()
                .path("properties")
                .properties()
                .forEach(entry -> fields.put(
                        Names.escape(entry.getKey()),
                        of(new Schema(entry.getValue()), path + "." + entry.getKey(), false)));
        if (resource || schema.embedsResource()) {
            fields.put("apiVersion", SimpleType.STRING);
            fields.put("kind", SimpleType.STRING);
            fields.put("metadata", metadata(path + ".metadata"));
        }
        return struct(path, fields);
    }

    /** Of the metadata only the names can be read. */
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
