package dev.kopf4j.devcluster.rest;

import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.status.Cause;
import dev.kopf4j.devcluster.status.Subject;
import dev.kopf4j.devcluster.store.StoredObject;
import java.util.List;

/** Whether a namespace takes new objects. */
final class Namespaces {
    private final ServerState state;

    Namespaces(ServerState state) {
        this.state = state;
    }

    /** 404 when the namespace is missing, 403 when it is being deleted. */
    void checkOpen(Call call, String objectName) {
        if (!call.resource().namespaced()) {
            return;
        }
        StoredObject namespace = state.store().bucket("namespaces").get("", call.namespace());
        if (namespace == null) {
            throw ApiException.notFound(new Subject("", "namespaces", call.namespace()));
        }
        if (namespace.tree().path("metadata").has("deletionTimestamp")) {
            Cause cause = new Cause(
                    Cause.Type.FORBIDDEN,
                    "namespace " + call.namespace() + " is being terminated",
                    "metadata.namespace");
            throw ApiException.forbidden(
                    call.subject(objectName),
                    "unable to create new content in namespace " + call.namespace() + " because it is being terminated",
                    List.of(cause),
                    "NamespaceTerminating");
        }
    }
}
