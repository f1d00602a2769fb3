package dev.kopf4j.engine.children;

import dev.kopf4j.Resource;
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
}
