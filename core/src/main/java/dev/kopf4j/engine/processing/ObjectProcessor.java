package dev.kopf4j.engine.processing;

import dev.kopf4j.Resource;
import dev.kopf4j.client.error.ClientException;
import dev.kopf4j.client.error.LeadershipLostException;
import dev.kopf4j.engine.cause.RawEvent;
import dev.kopf4j.engine.cause.WatchEventType;
import dev.kopf4j.engine.daemon.ObjectDaemons;
import dev.kopf4j.engine.handling.context.ResourceObject;
import dev.kopf4j.engine.handling.registry.ResourceHandlers;
import dev.kopf4j.engine.index.StreamKnowledge;
import dev.kopf4j.object.BodyView;
import dev.kopf4j.object.ObjectReference;
import dev.kopf4j.runtime.Platform;
import java.util.function.Supplier;
import tools.jackson.databind.node.ObjectNode;

/**
 * Processes the events of the objects of one resource, each in a cycle. An object with unexpected errors is throttled,
 * and holds up nobody else. Thread-safe; an object's memory is given to one worker at a time.
 */
public final class ObjectProcessor {
    private final ResourceProcessing processing;

    /** A processor for the objects of one resource. */
    public ObjectProcessor(
            Platform platform,
            Resource resource,
            ResourceHandlers handlers,
            ProcessingEnvironment processingEnvironment) {
        this.processing = ResourceProcessing.of(platform, resource, handlers, processingEnvironment);
    }

    /** True if each event counts; otherwise only the newest state does. */
    public boolean seesEachEvent() {
        return keepsEachEvent() || indexes();
    }

    /** True if each event counts also for handlers that wait for the indices to be complete. */
    public boolean keepsEachEvent() {
        return !processing.handlers().events().isEmpty();
    }

    /** True if the objects are in indices. */
    public boolean indexes() {
        return !processing.indexer().isIdle();
    }

    /** True if there are handlers that must not be called before everything is indexed. */
    public boolean waitsForIndices() {
        return processing.waitsForIndices();
    }

    /**
     * The memory of an object that was not known; its daemons and timers may be left from an earlier stream.
     *
     * @param noticedByListing true if it was listed, false if an event told of it
     * @param stream how far its stream has come
     */
    public ObjectMemory newMemory(
            String uid, ObjectReference reference, boolean noticedByListing, StreamProgress stream) {
        ObjectDaemons daemons = processing.operatorDaemons().find(processing.resource(), uid);
        return new ObjectMemory(uid, reference, noticedByListing, daemons, stream);
    }

    /** The memo of an object, made when it is asked for first. Safe for all threads. */
    public Supplier<Object> memo(ObjectMemory memory) {
        return () -> memory.memo(processing.environment().operatorMemos());
    }

    /** The object is not looked at any more, and leaves the indices. */
    public void discard(ObjectMemory memory) {
        processing.indexer().discard(memory);
        forgetChildren(memory);
    }

    /** The stream has ended for good. */
    public void end() {
        processing.indexer().end();
    }

    /** A list of the stream is complete. */
    public void listed(StreamKnowledge stream, String listVersion) {
        processing.indexer().listed(stream, listVersion);
    }

    /**
     * The operator itself has written an object, which is found in the indices from now on as it is.
     *
     * @param known what is remembered of the object, or would be
     * @throws InterruptedException if the operator stops
     */
    public void written(ObjectMemory known, ObjectNode body, StreamKnowledge stream) throws InterruptedException {
        ResourceObject object = processing.objectForIndices(known, body);
        try {
            processing.indexer().written(object, RawEvent.of(WatchEventType.MODIFIED, body), stream);
        } catch (RuntimeException | LinkageError | StackOverflowError | AssertionError e) {
            object.logger().error("The object could not be indexed, due to an unexpected error.", e);
        }
    }

    /** The operator itself has deleted an object, which is not found in the indices from now on. */
    public void writtenAway(String uid, StreamKnowledge stream) {
        processing.indexer().writtenAway(uid, stream);
    }

    /** Drops what is left to do for the object, and what is known of its state and versions: all will come anew. */
    public void dropPending(ObjectMemory memory) {
        memory.dropPending();
        processing.consistencyCheck().forgetVersions(memory);
    }

    /** Forgets versions that were learnt before that list, which had the object: the server may count anew. */
    public void forgetVersionsBefore(ObjectMemory memory, int list) {
        processing.consistencyCheck().forgetVersionsBefore(memory, list);
    }

    /** True if an event leaves nothing to do, and nobody needs to see it. */
    public boolean skipsAsEcho(ObjectMemory memory, WatchEventType type, String version) {
        return processing.ownChangeEcho().isEcho(memory, type, version);
    }

    /**
     * Calls the index functions, and nobody else, with an event of an object.
     *
     * @throws InterruptedException if the operator stops
     */
    public void index(ObjectMemory memory, RawEvent event) throws InterruptedException {
        if (!indexes()) {
            return;
        }
        ResourceObject object = processing.objectForIndices(memory, event.body());
        try {
            processing.indexer().update(object, event, memory);
        } catch (RuntimeException | LinkageError | StackOverflowError | AssertionError e) {
            object.logger().error("The object could not be indexed, due to an unexpected error.", e);
        }
    }

    /**
     * Processes one event of an object, or one moment that it has waited for.
     *
     * @param wakeUp tells the object's worker later that there is more to do
     * @throws InterruptedException if the operator stops
     */
    public CycleResult process(ObjectMemory memory, CycleTrigger trigger, ObjectWakeUp wakeUp)
            throws InterruptedException {
        if (trigger instanceof CycleTrigger.Event(var event, var _, var indexed) && !indexed) {
            index(memory, event);
        }
        knowChildren(memory, trigger, wakeUp);
        CycleResult result = runCycle(memory, trigger);
        if (result instanceof CycleResult.Forget) {
            forgetChildren(memory);
        }
        memory.tellOfEndedDaemons(wakeUp::daemonsEnded);
        return result;
    }

    private void knowChildren(ObjectMemory memory, CycleTrigger trigger, ObjectWakeUp wakeUp) {
        if (!processing.children().isIdle() && memory.children() == null && !trigger.isGone()) {
            memory.children(processing.children().begin(memory.uid(), memory.reference(), wakeUp::childrenChanged));
        }
    }

    private void forgetChildren(ObjectMemory memory) {
        if (memory.children() != null) {
            processing.children().end(memory.children());
            memory.children(null);
        }
    }

    private CycleResult runCycle(ObjectMemory memory, CycleTrigger trigger) throws InterruptedException {
        ResourceObject object = processing.object(memory, new BodyView(trigger.body()));
        processing.ownChangeEcho().forget(memory);
        NextCycle nextCycle = new NextCycle(processing, memory, object.node());
        CyclePatch cyclePatch = new CyclePatch(processing, memory, object, nextCycle);
        try {
            CycleResult result = new ProcessingCycle(processing, memory, object, trigger, cyclePatch, nextCycle).run();
            processing.throttling().end(memory, object);
            return result;
        } catch (LeadershipLostException e) {
            // The new leader will handle the object; everything that is left here is about to be dropped.
            object.localLogger().debug("The handling is given up: {}", e.getMessage());
            return nextCycle.idle();
        } catch (RuntimeException | LinkageError | StackOverflowError | AssertionError e) {
            if (trigger.isGone()) {
                return forget(memory, object, e);
            }
            if (e instanceof ClientException) {
                // What the handlers have achieved is kept: it is sent first next time, and they are not called again
                // for it.
                cyclePatch.postpone();
            }
            return nextCycle.throttled(processing.throttling().begin(memory, object, e));
        }
    }

    private CycleResult forget(ObjectMemory memory, ResourceObject object, Throwable error) {
        object.localLogger().error("The deletion was not processed in full, due to an unexpected error.", error);
        memory.objectGone(processing.environment().operatorMemos());
        return new CycleResult.Forget();
    }
}
