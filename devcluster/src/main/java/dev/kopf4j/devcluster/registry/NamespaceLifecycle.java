package dev.kopf4j.devcluster.registry;

import dev.kopf4j.devcluster.request.ResourceRequest;
import dev.kopf4j.devcluster.resource.Buckets;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.status.StatusDetails;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.util.List;

/**
 * No new objects in a namespace that is missing or terminating: the admission plugin NamespaceLifecycle
 * ({@code pkg/admission/plugin/namespace/lifecycle/admission.go} of the apiserver library, v1.33). Thread-safe.
 */
public final class NamespaceLifecycle {
    private final ServerContext state;

    /** The namespaces of a server. */
    public NamespaceLifecycle(ServerContext state) {
        this.state = state;
    }

    /** Refuses a new object: 404 if its namespace is missing, 403 if that is being deleted. */
    public void checkNotTerminating(ResourceRequest request, String objectName) {
        if (!request.resource().namespaced()) {
            return;
        }
        StoredObject namespace = state.objectStore().bucket(Buckets.NAMESPACES).get("", request.namespace());
        if (namespace == null) {
            throw ApiException.notFound(new StatusDetails("", Buckets.NAMESPACES, request.namespace()));
        }
        if (namespace.deleting()) {
            throw terminating(request, objectName);
        }
    }

    private static ApiException terminating(ResourceRequest request, String objectName) {
        FieldError cause = new FieldError(
                FieldError.Type.FORBIDDEN,
                "namespace " + request.namespace() + " is being terminated",
                "metadata.namespace");
        return ApiException.forbidden(
                request.subject(objectName),
                "unable to create new content in namespace " + request.namespace() + " because it is being terminated",
                List.of(cause),
                "NamespaceTerminating");
    }
}
