package dev.kopf4j.devcluster.discovery;

import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.resource.CustomKind;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.resource.ServedResources;
import dev.kopf4j.devcluster.response.AcceptHeader;
import dev.kopf4j.devcluster.response.ResponseFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** OpenAPI v3 documents, made on request. Thread-safe. */
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

    private static final String ROOT = "/openapi/v3";
    private final ServedResources servedResources;

    OpenApiDocuments(ServedResources servedResources) {
        this.servedResources = servedResources;
    }

    Optional<ApiResponse> answer(ApiRequest request) {
        String path = request.path();
        if (path.equals(ROOT) || path.equals(ROOT + "/")) {
            return Optional.of(json(index()));
        }
        if (path.equals("/openapi/v2")) {
            return Optional.of(older(request));
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
     * Clients that know v3 ask for v2 only for kinds that v3 does not have; an empty document says that there are none.
     */
    private static ApiResponse older(ApiRequest request) {
        String protobuf = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";
        if (request.header("accept").orElse("").contains("protobuf")) {
            return ApiResponse.whole(200, protobuf, new byte[0]);
        }
        ObjectNode document = Json.object().put("swagger", "2.0");
        document.putObject("info").put("title", "Kubernetes").put("version", "v1.33.0");
        document.putObject("paths");
        document.putObject("definitions");
        return json(document);
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

    private static ObjectNode document(ServedResources.Group group, String version) {
        ObjectNode document = Json.object().put("openapi", "3.0.0");
        document.putObject("info")
                .put("title", group.builtin() ? "Kubernetes" : "Kubernetes CRD Swagger")
                .put("version", group.builtin() ? "v1.33.0" : "v0.1.0");
        ObjectNode paths = document.putObject("paths");
        ObjectNode schemas = Json.object();
        OpenApiTypeSchemas types = new OpenApiTypeSchemas(schemas);
        for (Resource resource : group.version(version)) {
            CustomKind custom = resource.custom();
            if (custom == null) {
                types.add(resource, kind(resource));
            } else {
                schemas.set(name(resource), schema(resource, custom));
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

    private static ObjectNode schema(Resource resource, CustomKind custom) {
        ObjectNode schema = (ObjectNode) custom.structuralSchema().node().deepCopy();
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
}
