package dev.kopf4j.engine.processing;

import dev.kopf4j.Resource;
import dev.kopf4j.engine.handling.context.OperatorMemos;
import dev.kopf4j.engine.handling.context.ResourceObject;
import dev.kopf4j.engine.handling.registry.ResourceHandlers;
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
 * @param environment what is the same for all resources
 * @param consistencyCheck keeps handlers from acting on old states
 * @param indexer keeps the objects in the indices
 * @param errorDelays how long to wait after errors
 */
record ResourceProcessing(
        Platform platform,
        Resource resource,
        ResourceHandlers handlers,
        ProcessingEnvironment environment,
        ConsistencyCheck consistencyCheck,
        ObjectIndexer indexer,
        ErrorDelays errorDelays) {
    static ResourceProcessing of(
            Platform platform,
            Resource resource,
            ResourceHandlers handlers,
            ProcessingEnvironment processingEnvironment) {
        ConsistencyCheck consistencyCheck = new ConsistencyCheck(
                platform, processingEnvironment.settings().persistence().consistencyTimeout());
        ObjectIndexer indexer = ObjectIndexer.of(
                handlers.indices(), processingEnvironment.indices(), processingEnvironment.indexFunctions());
        ErrorDelays errorDelays =
                new ErrorDelays(processingEnvironment.settings().queueing().errorDelays());
        return new ResourceProcessing(
                platform, resource, handlers, processingEnvironment, consistencyCheck, indexer, errorDelays);
    }

    /** An object in a state, as handlers see it. */
    ResourceObject subject(ObjectMemory slot, BodyView body) {
        return subject(slot, body, new ObjectLogger(slot.reference, environment.logs()));
    }

    /** An object in whatever state. Holds nothing else of it: daemons and timers keep this for as long as they run. */
    Function<BodyView, ResourceObject> subjects(ObjectMemory slot) {
        return body -> subject(slot, body);
    }

    /** The same with another logger. */
    ResourceObject subject(ObjectMemory slot, BodyView body, ObjectLogger logger) {
        OperatorMemos operatorMemos = environment.operatorMemos();
        return new ResourceObject(resource, slot.reference, body, logger, () -> slot.memo(operatorMemos));
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
