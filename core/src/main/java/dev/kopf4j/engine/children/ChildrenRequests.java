package dev.kopf4j.engine.children;

import dev.kopf4j.Resource;
import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.api.KubernetesApi.PatchType;
import dev.kopf4j.json.Json;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Writes children through the API. Thread-safe.
 *
 * @param api the API behind the fence of the leader
 * @param listener hears what was applied
 */
public record ChildrenRequests(KubernetesApi api, Listener listener) implements ChildrenApi {
    /** Hears what was applied. */
    @FunctionalInterface
    public interface Listener {
        /** An object was applied, and the server has answered this. */
        void applied(ObjectNode answer) throws InterruptedException;
    }

    @Override
    public ObjectNode apply(
            Resource resource,
            @Nullable String namespace,
            String name,
            String fieldManager,
            boolean force,
            ObjectNode configuration)
            throws InterruptedException {
        ObjectNode answer = api.apply(resource, namespace, name, fieldManager, force, configuration);
        listener.applied(answer);
        return answer;
    }

    /** By a patch that changes nothing: an operator that writes children need not be allowed to read them. */
    @Override
    public ObjectNode read(Resource resource, @Nullable String namespace, String name) throws InterruptedException {
        return api.patch(resource, namespace, name, null, PatchType.MERGE, Json.object());
    }

    @Override
    public void delete(Resource resource, @Nullable String namespace, String name, ObjectNode options)
            throws InterruptedException {
        var _ = api.delete(resource, namespace, name, options);
    }
}
