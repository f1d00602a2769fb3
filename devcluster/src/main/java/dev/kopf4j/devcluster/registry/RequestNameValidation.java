package dev.kopf4j.devcluster.registry;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.meta.ObjectMetaTypes;
import dev.kopf4j.devcluster.request.ResourceRequest;
import dev.kopf4j.devcluster.status.ApiException;
import tools.jackson.databind.node.ObjectNode;

/**
 * The name and namespace of an object must be those of its URL: {@code checkName} in
 * {@code pkg/endpoints/handlers/rest.go} of the apiserver library, v1.33. Pure.
 */
public final class RequestNameValidation {
    private RequestNameValidation() {}

    /** Refuses an object with another name or namespace, and sets the name and namespace of the URL. */
    public static void check(ResourceRequest request, ObjectNode object) {
        ObjectNode metadata = ObjectMetaTypes.metadata(object);
        String name = Json.string(metadata, "name");
        if (name.isEmpty()) {
            throw ApiException.badRequest("the name of the object (" + request.name()
                    + " based on URL) was undeterminable: name must be provided");
        }
        checkPresent(request, metadata);
        metadata.put("name", request.name());
        if (request.resource().namespaced()) {
            metadata.put("namespace", request.namespace());
        }
    }

    /** Refuses metadata with another name, or none, or another namespace. */
    public static void checkPresent(ResourceRequest request, ObjectNode metadata) {
        String name = Json.string(metadata, "name");
        if (!name.equals(request.name())) {
            throw ApiException.badRequest("the name of the object (" + name + ") does not match the name on the URL ("
                    + request.name() + ")");
        }
        checkNamespace(request, metadata);
    }

    /**
     * Refuses metadata with another namespace; none is right. That of an object of the cluster is forgotten:
     * {@code EnsureObjectNamespaceMatchesRequestNamespace} in {@code pkg/registry/rest/meta.go}.
     */
    public static void checkNamespace(ResourceRequest request, ObjectNode metadata) {
        if (!request.resource().namespaced()) {
            metadata.remove("namespace");
            return;
        }
        String namespace = Json.string(metadata, "namespace");
        if (!namespace.isEmpty() && !namespace.equals(request.namespace())) {
            throw ApiException.badRequest(
                    "the namespace of the provided object does not match the namespace sent on the request");
        }
    }
}
