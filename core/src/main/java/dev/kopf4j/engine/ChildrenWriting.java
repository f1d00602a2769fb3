package dev.kopf4j.engine;

import dev.kopf4j.Resource;
import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.engine.children.ChildrenApi;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Writes children through the API. Thread-safe.
 *
 * @param api the API behind the fence of the leader
 */
record ChildrenWriting(KubernetesApi api) implements ChildrenApi {
    @Override
    public ObjectNode apply(
            Resource resource,
            @Nullable String namespace,
            String name,
            String fieldManager,
            boolean force,
            ObjectNode configuration)
            throws InterruptedException {
        return api.apply(resource, namespace, name, fieldManager, force, configuration);
    }

    @Override
    public void delete(Resource resource, @Nullable String namespace, String name, ObjectNode options)
            throws InterruptedException {
        var _ = api.delete(resource, namespace, name, options);
    }
}
