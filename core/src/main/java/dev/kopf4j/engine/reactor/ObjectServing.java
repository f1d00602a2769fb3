package dev.kopf4j.engine.reactor;

import dev.kopf4j.Resource;
import dev.kopf4j.engine.handling.ResourceHandlers;
import dev.kopf4j.engine.index.ObjectIndexer;
import dev.kopf4j.runtime.Platform;

/**
 * What the cycles of all objects of one resource share. Immutable, thread-safe.
 *
 * @param platform clocks
 * @param resource the resource
 * @param handlers its handlers
 * @param processing what is the same for all resources
 * @param consistency keeps handlers from acting on old states
 * @param indexer keeps the objects in the indices
 * @param errorDelays how long to wait after errors
 */
record ObjectServing(
        Platform platform,
        Resource resource,
        ResourceHandlers handlers,
        Processing processing,
        Consistency consistency,
        ObjectIndexer indexer,
        ErrorDelays errorDelays) {
    static ObjectServing of(Platform platform, Resource resource, ResourceHandlers handlers, Processing processing) {
        Consistency consistency =
                new Consistency(platform, processing.settings().persistence().consistencyTimeout());
        ObjectIndexer indexer = ObjectIndexer.of(handlers.indices(), processing.indices(), processing.indexing());
        ErrorDelays errorDelays =
                new ErrorDelays(processing.settings().queueing().errorDelays());
        return new ObjectServing(platform, resource, handlers, processing, consistency, indexer, errorDelays);
    }

    /** True if there are handlers that must not be called before everything is indexed. */
    boolean waitsForIndices() {
        return handlesChanges() || !handlers.events().isEmpty();
    }

    /** True if there are handlers that must not see old states. */
    boolean handlesChanges() {
        return !handlers.changes().isEmpty() || !handlers.background().isEmpty();
    }
}
