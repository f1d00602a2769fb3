package dev.kopf4j.devcluster.registry.read;

import dev.kopf4j.devcluster.registry.ServerContext;
import dev.kopf4j.devcluster.request.ResourceRequest;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.storage.StoredObject;

/** The verb get: {@code pkg/endpoints/handlers/get.go} of the apiserver library, v1.33. Thread-safe. */
public final class GetVerb {
    private final ServerContext state;

    /** Reads objects from the store of a server. */
    public GetVerb(ServerContext state) {
        this.state = state;
    }

    /** The object of a request; 404 if there is none. */
    public StoredObject get(ResourceRequest request) {
        String version = request.request().parameter("resourceVersion");
        if (!version.isEmpty()) {
            ResourceVersionParameter.checkReadable(version);
            ResourceVersionParameter.checkNotFuture(version, state);
        }
        StoredObject found = state.bucket(request.resource()).get(request.namespace(), request.name());
        if (found == null) {
            throw ApiException.notFound(request.statusDetails());
        }
        return found;
    }
}
