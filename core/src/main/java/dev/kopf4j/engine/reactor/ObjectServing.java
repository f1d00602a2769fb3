package dev.kopf4j.engine.reactor;

import dev.kopf4j.Resource;
import dev.kopf4j.engine.handling.context.Memos;
import dev.kopf4j.engine.handling.context.Subject;
import dev.kopf4j.engine.handling.registration.ResourceHandlers;
import dev.kopf4j.engine.index.ObjectIndexer;
import dev.kopf4j.object.BodyView;
import dev.kopf4j.object.ObjectLogger;
import dev.kopf4j.runtime.Platform;
import java.util.function.Function;

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

    /** An object in a state, as handlers see it. */
    Subject subject(ObjectSlot slot, BodyView body) {
        return subject(slot, body, new ObjectLogger(slot.reference, processing.logs()));
    }

    /** An object in whatever state. Holds nothing else of it: daemons and timers keep this for as long as they run. */
    Function<BodyView, Subject> subjects(ObjectSlot slot) {
        return body -> subject(slot, body);
    }

    /** The same with another logger. */
    Subject subject(ObjectSlot slot, BodyView body, ObjectLogger logger) {
        Memos memos = processing.memos();
        return new Subject(resource, slot.reference, body, logger, () -> slot.memo(memos));
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
