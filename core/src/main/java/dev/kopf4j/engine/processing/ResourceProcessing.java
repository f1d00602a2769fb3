package dev.kopf4j.engine.processing;

import dev.kopf4j.Resource;
import dev.kopf4j.engine.cause.Finalizer;
import dev.kopf4j.engine.children.ParentChildren;
import dev.kopf4j.engine.daemon.OperatorDaemons;
import dev.kopf4j.engine.handling.context.OperatorMemos;
import dev.kopf4j.engine.handling.context.ResourceObject;
import dev.kopf4j.engine.handling.registry.RegisteredHandler;
import dev.kopf4j.engine.handling.registry.ResourceHandlers;
import dev.kopf4j.engine.index.ObjectIndexer;
import dev.kopf4j.engine.patching.FrameworkPatch;
import dev.kopf4j.hierarchy.ObjectEvent;
import dev.kopf4j.object.BodyView;
import dev.kopf4j.object.ObjectLogger;
import dev.kopf4j.runtime.Platform;
import java.util.List;
import java.util.function.Function;
import tools.jackson.databind.node.ObjectNode;

/**
 * What the cycles of all objects of one resource share. Immutable, thread-safe.
 *
 * @param platform clocks
 * @param resource the resource
 * @param handlers its handlers
 * @param environment what is the same for all resources
 * @param consistencyCheck keeps handlers from acting on old states
 * @param ownChangeEcho recognises the events of the operator's own changes
 * @param changes tells what has changed in objects, and whom that concerns
 * @param indexer keeps the objects in the indices
 * @param children handles the children of the objects
 * @param cyclePatchSender sends what cycles have collected
 * @param throttling holds objects back after unexpected errors
 */
record ResourceProcessing(
        Platform platform,
        Resource resource,
        ResourceHandlers handlers,
        ProcessingEnvironment environment,
        ConsistencyCheck consistencyCheck,
        OwnChangeEcho ownChangeEcho,
        ResourceChanges changes,
        ObjectIndexer indexer,
        ParentChildren children,
        CyclePatchSender cyclePatchSender,
        ObjectThrottling throttling) {
    static ResourceProcessing of(
            Platform platform, Resource resource, ResourceHandlers handlers, ProcessingEnvironment environment) {
        ConsistencyCheck consistencyCheck = new ConsistencyCheck(
                platform, environment.settings().persistence().consistencyTimeout());
        return new ResourceProcessing(
                platform,
                resource,
                handlers,
                environment,
                consistencyCheck,
                new OwnChangeEcho(consistencyCheck),
                new ResourceChanges(environment.changes(), handlers),
                ObjectIndexer.of(handlers.indices(), environment.indices(), environment.indexFunctions()),
                new ParentChildren(environment.children(), handlers.children()),
                new CyclePatchSender(environment.sender(), environment.frameworkPatch()),
                new ObjectThrottling(
                        new ErrorDelays(environment.settings().queueing().errorDelays())));
    }

    /** An object in a state, as handlers see it. */
    ResourceObject object(ObjectMemory memory, BodyView body) {
        return object(memory, body, new ObjectLogger(memory.reference(), environment.logs()));
    }

    /** An object in any state. Holds nothing else of the memory: daemons and timers keep this while they run. */
    Function<BodyView, ResourceObject> objects(ObjectMemory memory) {
        return body -> object(memory, body);
    }

    /** An object that is about to be indexed: nothing is posted about it. */
    ResourceObject objectForIndices(ObjectMemory memory, ObjectNode body) {
        return object(memory, new BodyView(body), ObjectLogger.terse(memory.reference()));
    }

    private ResourceObject object(ObjectMemory memory, BodyView body, ObjectLogger logger) {
        OperatorMemos operatorMemos = environment.operatorMemos();
        return new ResourceObject(resource, memory.reference(), body, logger, () -> memory.memo(operatorMemos));
    }

    /** True if there are handlers that must not be called before everything is indexed. */
    boolean waitsForIndices() {
        return handlesChanges() || !handlers.events().isEmpty();
    }

    /** True if there are handlers that must not see old states. */
    boolean handlesChanges() {
        return !handlers.changes().isEmpty()
                || !handlers.background().isEmpty()
                || !handlers.children().isEmpty();
    }

    /** The daemons and timers whose filters let the object pass. */
    List<RegisteredHandler> matchingDaemons(ResourceObject state) {
        return handlers.background().isEmpty()
                ? List.of()
                : environment.daemonCalls().matching(handlers.background(), state);
    }

    /** The daemons and timers of all objects. */
    OperatorDaemons operatorDaemons() {
        return environment.operatorDaemons();
    }

    /** Knows which part of a patch is the framework's own. */
    FrameworkPatch frameworkPatch() {
        return environment.frameworkPatch();
    }

    /** Posts an event of the framework about an object. */
    void post(ObjectEvent event) {
        environment.posting().post(event);
    }

    Finalizer finalizer() {
        return environment.finalizer();
    }
}
