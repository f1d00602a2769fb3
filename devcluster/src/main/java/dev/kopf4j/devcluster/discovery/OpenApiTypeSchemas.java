package dev.kopf4j.devcluster.discovery;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.types.BuiltinTypes;
import dev.kopf4j.devcluster.types.FieldType;
import dev.kopf4j.devcluster.types.StructType;
import dev.kopf4j.devcluster.types.TypeField;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/** Writes built-in types as OpenAPI schemas. */
final class OpenApiTypeSchemas {
    private static final String META = "io.k8s.apimachinery.pkg.apis.meta.v1.";
    private final ObjectNode schemas;
    private final Deque<String> open = new ArrayDeque<>();
    private final Set<String> seen = new HashSet<>();

    OpenApiTypeSchemas(ObjectNode schemas) {
        this.schemas = schemas;
    }

    /** The name of a type in documents. */
    static String name(String type) {
        if (type.startsWith("meta.v1.")) {
            return META + type.substring("meta.v1.".length());
        }
        return type.startsWith("apiextensions.")
                ? "io.k8s.apiextensions-apiserver.pkg.apis." + type
                : type.startsWith("apiregistration.")
                        ? "io.k8s.kube-aggregator.pkg.apis." + type
                        : "io.k8s.api." + type;
    }

    /** The name of a kind in documents. */
    static String name(Resource resource) {
        return BuiltinTypes.get().of(resource).map(type -> name(type.name())).orElse("io.k8s.api." + resource.kind());
    }

    /** Adds the kind of a resource and all types below it. */
    void add(Resource resource, ObjectNode groupVersionKind) {
        StructType type = BuiltinTypes.get().of(resource).orElse(null);
        if (type == null) {
            return;
        }
        ObjectNode schema = write(type);
        ObjectNode properties = Json.child(schema, "properties");
        properties.putObject("apiVersion").put("type", "string");
        properties.putObject("kind").put("type", "string");
        schema.putArray("x-kubernetes-group-version-kind").add(groupVersionKind);
        addOpen();
    }

    /** Adds the metadata of objects. */
    void addMetadata() {
        open.add("meta.v1.ObjectMeta");
        addOpen();
    }

    private void addOpen() {
        while (!open.isEmpty()) {
            String next = open.remove();
            if (seen.add(next)) {
                write(BuiltinTypes.get().type(next));
            }
        }
    }

    private ObjectNode write(StructType type) {
        ObjectNode schema = schemas.putObject(name(type.name())).put("type", "object");
        ObjectNode properties = Json.object();
        for (TypeField typeField : type.fields().values()) {
            ObjectNode property = form(typeField.fieldType());
            describe(typeField, property);
            properties.set(typeField.name(), property);
        }
        if (!properties.isEmpty()) {
            schema.set("properties", properties);
        }
        return schema;
    }

    private static void describe(TypeField typeField, ObjectNode property) {
        if (!typeField.listKeys().isEmpty()) {
            property.set("x-kubernetes-list-map-keys", Json.array(typeField.listKeys()));
            property.put("x-kubernetes-list-type", "map");
        } else if (typeField.fieldType() instanceof FieldType.ListOf) {
            property.put("x-kubernetes-list-type", typeField.set() ? "set" : "atomic");
        }
        if (typeField.merges()) {
            property.put("x-kubernetes-patch-strategy", typeField.retainsKeys() ? "merge,retainKeys" : "merge");
            if (!typeField.mergeKey().isEmpty()) {
                property.put("x-kubernetes-patch-merge-key", typeField.mergeKey());
            }
        }
    }

    private ObjectNode form(FieldType fieldType) {
        ObjectNode schema = Json.object();
        switch (fieldType) {
            case FieldType.Struct(String type) -> {
                open.add(type);
                schema.putArray("allOf").addObject().put("$ref", "#/components/schemas/" + name(type));
            }
            case FieldType.ListOf(FieldType element) ->
                schema.put("type", "array").set("items", form(element));
            case FieldType.MapOf(FieldType value) ->
                schema.put("type", "object").set("additionalProperties", form(value));
            case FieldType.Scalar(FieldType.ScalarType scalarType) -> scalar(scalarType, schema);
        }
        return schema;
    }

    private static void scalar(FieldType.ScalarType scalarType, ObjectNode schema) {
        switch (scalarType) {
            case STRING -> schema.put("type", "string");
            case INTEGER -> schema.put("type", "integer").put("format", "int32");
            case LONG -> schema.put("type", "integer").put("format", "int64");
            case BOOLEAN -> schema.put("type", "boolean");
            case NUMBER -> schema.put("type", "number").put("format", "double");
            case TIME, MICRO_TIME -> schema.put("type", "string").put("format", "date-time");
            case BYTES -> schema.put("type", "string").put("format", "byte");
            case QUANTITY, INT_OR_STRING -> {
                for (String type : List.of("integer", "string")) {
                    schema.withArray("oneOf").addObject().put("type", type);
                }
            }
            case ANY -> schema.put("x-kubernetes-preserve-unknown-fields", true);
            case SCHEMA_OR_BOOL -> schema.put("description", "a schema or a boolean");
        }
    }
}
