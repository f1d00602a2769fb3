package dev.kopf4j.engine.children;

import dev.kopf4j.Resource;
import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.api.KubernetesApi.PatchType;
import dev.kopf4j.json.Json;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The two ways in which the engine writes children. Both throw the exceptions of
 * {@link dev.kopf4j.client.error.ClientException}. Thread-safe.
 */
public interface ChildrenApi {
    /**
     * Applies a configuration, once: nothing is tried again; returns the object as the server has stored it. A
     * {@code metadata.uid} or {@code metadata.resourceVersion} in it is a condition, see {@link ChildWriter}.
     */
    ObjectNode apply(
            Resource resource,
            @Nullable String namespace,
            String name,
            String fieldManager,
            boolean force,
            ObjectNode configuration)
            throws InterruptedException;

    /** Reads an object, once. */
    ObjectNode read(Resource resource, @Nullable String namespace, String name) throws InterruptedException;

    /** Deletes an object, with the given options, once. */
    void delete(Resource resource, @Nullable String namespace, String name, ObjectNode options)
            throws InterruptedException;

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
}
