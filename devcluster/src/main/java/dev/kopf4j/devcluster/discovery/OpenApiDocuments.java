package dev.kopf4j.devcluster.discovery;

import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.api.KubernetesVersion;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.resource.CustomKind;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.resource.ServedResources;
import dev.kopf4j.devcluster.response.AcceptHeader;
import dev.kopf4j.devcluster.response.ResponseFactory;
import dev.kopf4j.devcluster.types.BuiltinTypes;
import dev.kopf4j.devcluster.types.FieldType;
import dev.kopf4j.devcluster.types.StructType;
import dev.kopf4j.devcluster.types.TypeField;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** OpenAPI documents, v3, and the definitions of v2, made on request. Thread-safe. */
final class OpenApiDocuments {
    private static final String API_VERSION =
            "APIVersion defines the versioned schema of this representation of an object. Servers should convert"
                    + " recognized schemas to the latest internal value, and may reject unrecognized values. More info:"
                    + " https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#resources";
    private static final String KIND =
            "Kind is a string value representing the REST resource this object represents. Servers may infer this from"
                    + " the endpoint the client submits requests to. Cannot be updated. In CamelCase. More info:"
                    + " https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds";
    private static final String METADATA = "Standard object's metadata. More info:"
            + " https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata";

    /** What {@code kubectl explain KIND.metadata} says of the fields. */
    private static final Map<String, String> METADATA_FIELDS = Map.ofEntries(
            Map.entry("name", "Name is unique within a namespace for each kind. Cannot be updated."),
            Map.entry("generateName", "GenerateName begins a name that the server makes if there is no name."),
            Map.entry("namespace", "Namespace is the space in which the name is unique. Cannot be updated."),
            Map.entry("uid", "UID is unique in time and space. Set by the server. Read-only."),
            Map.entry("resourceVersion", "ResourceVersion names this state of the object. Opaque to clients."),
            Map.entry("generation", "Generation counts the changes of the desired state. Read-only."),
            Map.entry(
                    "creationTimestamp",
                    "CreationTimestamp is a timestamp of when the server created this object. Read-only."),
            Map.entry("deletionTimestamp", "DeletionTimestamp is when this object is to be gone. Set by the server."),
            Map.entry(
                    "deletionGracePeriodSeconds",
                    "How many seconds the object has to end. Set by the server. Read-only."),
            Map.entry("labels", "Labels are keys and values by which objects are selected."),
            Map.entry("annotations", "Annotations are keys and values that tools keep with an object."),
            Map.entry("ownerReferences", "OwnerReferences are the objects without which this one is garbage."),
            Map.entry("finalizers", "Finalizers must be empty before the object is deleted."),
            Map.entry("managedFields", "ManagedFields says who manages which fields. Kept by the server."));

    private static final String ROOT = "/openapi/v3";
    private final ServedResources servedResources;
    private final String version;

    OpenApiDocuments(ServedResources servedResources, KubernetesVersion kubernetes) {
        this.servedResources = servedResources;
        this.version = "v" + kubernetes + ".0";
    }

    Optional<ApiResponse> answer(ApiRequest request) {
        String path = request.path();
        if (path.equals(ROOT) || path.equals(ROOT + "/")) {
            return Optional.of(json(index()));
        }
        if (path.equals("/openapi/v2")) {
            return Optional.of(second(request));
        }
        for (ServedResources.Group group : servedResources.groups()) {
            for (String version : group.versions().keySet()) {
                if (path.equals(ROOT + "/" + place(group.name(), version))) {
                    return Optional.of(json(document(group, version)));
                }
            }
        }
        return Optional.empty();
    }

    /**
     * The definitions of all kinds in v2, without paths. Clients that ask in protobuf know v3, too, and ask for v2 only
     * for kinds that v3 does not have; an empty document says that there are none.
     */
    private ApiResponse second(ApiRequest request) {
        String protobuf = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";
        if (request.header("accept").orElse("").contains("protobuf")) {
            return ApiResponse.whole(200, protobuf, new byte[0]);
        }
        ObjectNode document = Json.object().put("swagger", "2.0");
        document.putObject("info").put("title", "Kubernetes").put("version", this.version);
        document.putObject("paths");
        ObjectNode definitions = document.putObject("definitions");
        for (ServedResources.Group group : servedResources.groups()) {
            for (String version : group.versions().keySet()) {
                JsonNode schemas = document(group, version).at("/components/schemas");
                schemas.properties()
                        .forEach(each -> definitions.set(each.getKey(), SecondVersion.of(each.getValue(), false)));
                for (Resource resource : group.version(version)) {
                    CustomKind custom = resource.custom();
                    if (custom != null) {
                        definitions.set(name(resource), second(resource, custom));
                    }
                }
            }
        }
        return json(document);
    }

    /** A kind that takes any field has none at all in v2: kubectl would take others than those for mistakes. */
    private static JsonNode second(Resource resource, CustomKind custom) {
        JsonNode structural = custom.structuralSchema().node();
        if (structural.path("x-kubernetes-preserve-unknown-fields").booleanValue(false)) {
            ObjectNode open = Json.object().put("type", "object");
            open.putArray("x-kubernetes-group-version-kind").add(kind(resource));
            return open;
        }
        return SecondVersion.of(schema(resource, SecondVersion.of(structural, true)), false);
    }

    /**
     * Schemas in OpenAPI v2: what {@code ToStructuralOpenAPIV2} in {@code pkg/controller/openapi/v2/conversion.go} of
     * the apiextensions server, v1.33, leaves of them. Pure.
     */
    private static final class SecondVersion {
        private static final String COMPONENTS = "#/components/schemas/";

        private SecondVersion() {}

        /**
         * A schema without what v2 does not have.
         *
         * @param structural whether it is that of a custom kind
         */
        static JsonNode of(JsonNode schema, boolean structural) {
            if (!(schema instanceof ObjectNode object)) {
                return schema;
            }
            ObjectNode found = object.deepCopy();
            if (structural) {
                prune(found);
            } else {
                refer(found);
            }
            for (String one : List.of("items", "additionalProperties")) {
                if (found.has(one)) {
                    found.set(one, of(found.get(one), structural));
                }
            }
            if (found.get("properties") instanceof ObjectNode properties) {
                properties.propertyNames().stream()
                        .toList()
                        .forEach(name -> properties.set(name, of(properties.get(name), structural)));
            }
            return found;
        }

        /** A reference stands by itself, and not in {@code allOf}. */
        private static void refer(ObjectNode schema) {
            String reference = schema.at("/allOf/0/$ref").asString("");
            if (reference.startsWith(COMPONENTS)) {
                schema.remove("allOf");
                schema.put("$ref", "#/definitions/" + reference.substring(COMPONENTS.length()));
            }
        }

        private static void prune(ObjectNode schema) {
            schema.remove(List.of("allOf", "oneOf", "anyOf", "not"));
            keepRequired(schema);
            if (schema.path("nullable").booleanValue(false)) {
                schema.remove(List.of("type", "nullable", "items", "properties"));
            }
            boolean open = schema.path("x-kubernetes-preserve-unknown-fields").booleanValue(false);
            if (open) {
                schema.remove(List.of("items", "properties"));
            }
            String type = Json.string(schema, "type");
            if ((type.equals("array") && !schema.has("items")) || (open && type.equals("object"))) {
                schema.remove("type");
            }
        }

        /** What may be null cannot be required. */
        private static void keepRequired(ObjectNode schema) {
            ArrayNode required = Json.array();
            for (JsonNode name : schema.path("required")) {
                if (!schema.path("properties")
                        .path(name.asString())
                        .path("nullable")
                        .booleanValue(false)) {
                    required.add(name);
                }
            }
            if (required.isEmpty()
                    || schema.path("additionalProperties").path("nullable").booleanValue(false)) {
                schema.remove("required");
            } else {
                schema.set("required", required);
            }
        }
    }

    private static ApiResponse json(ObjectNode node) {
        return ResponseFactory.object(200, AcceptHeader.JSON, node, List.of());
    }

    private static String place(String group, String version) {
        return group.isEmpty() ? "api/" + version : "apis/" + group + "/" + version;
    }

    private ObjectNode index() {
        ObjectNode index = Json.object();
        ObjectNode paths = index.putObject("paths");
        for (ServedResources.Group group : servedResources.groups()) {
            group.versions().forEach((version, served) -> {
                String place = place(group.name(), version);
                String hash = HexFormat.of().withUpperCase().toHexDigits(served.hashCode());
                paths.putObject(place).put("serverRelativeURL", ROOT + "/" + place + "?hash=" + hash);
            });
        }
        return index;
    }

    private ObjectNode document(ServedResources.Group group, String version) {
        ObjectNode document = Json.object().put("openapi", "3.0.0");
        document.putObject("info")
                .put("title", group.builtin() ? "Kubernetes" : "Kubernetes CRD Swagger")
                .put("version", group.builtin() ? this.version : "v0.1.0");
        ObjectNode paths = document.putObject("paths");
        ObjectNode schemas = Json.object();
        OpenApiTypeSchemas types = new OpenApiTypeSchemas(schemas);
        for (Resource resource : group.version(version)) {
            CustomKind custom = resource.custom();
            if (custom == null) {
                types.add(resource, kind(resource));
            } else {
                schemas.set(
                        name(resource),
                        schema(resource, custom.structuralSchema().node()));
                types.addMetadata();
            }
            String collection = "/" + place(group.name(), version)
                    + (resource.namespaced() ? "/namespaces/{namespace}/" : "/") + resource.plural();
            operation(paths, collection, "post", "post", resource);
            operation(paths, collection + "/{name}", "patch", "patch", resource);
            operation(paths, collection + "/{name}", "put", "put", resource);
        }
        document.putObject("components").set("schemas", schemas);
        return document;
    }

    private static void operation(ObjectNode paths, String path, String method, String action, Resource resource) {
        ObjectNode operation = Json.child(paths, path).putObject(method);
        operation
                .putArray("parameters")
                .addObject()
                .put("name", "fieldValidation")
                .put("in", "query")
                .putObject("schema")
                .put("type", "string");
        operation.put("x-kubernetes-action", action);
        operation.set("x-kubernetes-group-version-kind", kind(resource));
    }

    private static ObjectNode kind(Resource resource) {
        return Json.object()
                .put("group", resource.group())
                .put("kind", resource.kind())
                .put("version", resource.version());
    }

    private static String name(Resource resource) {
        List<String> parts = new ArrayList<>();
        Collections.addAll(parts, resource.group().split("\\.", -1));
        Collections.reverse(parts);
        parts.add(resource.version());
        parts.add(resource.kind());
        return String.join(".", parts);
    }

    private static ObjectNode schema(Resource resource, JsonNode structural) {
        ObjectNode schema = (ObjectNode) structural.deepCopy();
        ObjectNode properties = Json.child(schema, "properties");
        properties.putObject("apiVersion").put("type", "string").put("description", API_VERSION);
        properties.putObject("kind").put("type", "string").put("description", KIND);
        ObjectNode metadata = properties.putObject("metadata").put("description", METADATA);
        metadata.putArray("allOf")
                .addObject()
                .put("$ref", "#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta");
        schema.putArray("x-kubernetes-group-version-kind").add(kind(resource));
        return schema;
    }

    /** Writes built-in types as OpenAPI schemas. */
    private static final class OpenApiTypeSchemas {
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
                if (type.name().equals("meta.v1.ObjectMeta") && METADATA_FIELDS.containsKey(typeField.name())) {
                    property.put("description", METADATA_FIELDS.get(typeField.name()));
                }
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
                case SCHEMA_OR_STRINGS -> schema.put("description", "a schema or a list of names");
            }
        }
    }
}
