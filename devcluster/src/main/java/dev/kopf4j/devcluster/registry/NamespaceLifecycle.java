package dev.kopf4j.devcluster.registry;

import dev.kopf4j.devcluster.request.ResourceRequest;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.status.StatusDetails;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.util.List;

/** Whether a namespace takes new objects. */
final class NamespaceLifecycle {
    private final ServerContext state;

    NamespaceLifecycle(ServerContext state) {
        this.state = state;
    }

    /** 404 when the namespace is missing, 403 when it is being deleted. */
    void checkNotTerminating(ResourceRequest resourceRequest, String objectName) {
        if (!resourceRequest.resource().namespaced()) {
            return;
        }
        StoredObject namespace = state.objectStore().bucket("namespaces").get("", resourceRequest.namespace());
        if (namespace == null) {
            throw ApiException.notFound(new StatusDetails("", "namespaces", resourceRequest.namespace()));
        }
        if (namespace.tree().path("metadata").has("deletionTimestamp")) {
            FieldError fieldError = new FieldError(
                    FieldError.Type.FORBIDDEN,
                    "namespace " + resourceRequest.namespace() + " is being terminated",
                    "metadata.namespace");
            throw ApiException.forbidden(
                    resourceRequest.subject(objectName),
                    "unable to create new content in namespace " + resourceRequest.namespace()
                            + " because it is being terminated",
                    List.of(fieldError),
                    "NamespaceTerminating");
        }
    }
}
