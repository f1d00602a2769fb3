package dev.kopf4j.engine.processing;

import dev.kopf4j.Resource;
import dev.kopf4j.client.error.ClientException;
import dev.kopf4j.client.error.LeadershipLostException;
import dev.kopf4j.engine.cause.RawEvent;
import dev.kopf4j.engine.daemon.ObjectDaemons;
import dev.kopf4j.engine.handling.context.ResourceObject;
import dev.kopf4j.engine.handling.registry.ResourceHandlers;
import dev.kopf4j.object.BodyView;
import dev.kopf4j.object.ObjectLogger;
import dev.kopf4j.runtime.Platform;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Processes the events of the objects of one resource, a cycle for each; an object with unexpected errors is throttled,
 * and holds up nobody else. Thread-safe; a slot is given to one worker at a time.
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
     * Calls the index functions, and nobody else, with an event of an object.
     *
     * @throws InterruptedException if the operator stops
     */
    private void index(ObjectMemory slot, RawEvent event) throws InterruptedException {
        if (!indexes()) {
            return;
        }
        ResourceObject resourceObject =
                processing.subject(slot, new BodyView(event.body()), ObjectLogger.terse(slot.reference));
        try {
            slot.indexed = processing.indexer().update(resourceObject, event, slot.indexed);
        } catch (RuntimeException | LinkageError | StackOverflowError | AssertionError e) {
            resourceObject.logger().error("The object could not be indexed, due to an unexpected error.", e);
        }
    }

    /** The object is not looked at any more, and leaves the indices. */
    public void discard(ObjectMemory slot) {
        processing.indexer().discard(slot.indexed);
        slot.indexed = null;
    }

    /** What daemons and timers an object has left from an earlier stream; null if there are none. */
    public @Nullable ObjectDaemons daemonsOf(String uid) {
        return processing.environment().operatorDaemons().find(processing.resource(), uid);
    }

    /** The object was listed after the last thing that is known of it: versions may have started anew. */
    public void forgetVersions(ObjectMemory slot) {
        processing.consistencyCheck().forget(slot);
    }

    /** True if there is nothing to be done for an event, and nobody needs to see it. */
    public boolean skipsAsEcho(ObjectMemory slot, QueuedEvent event) {
        return processing.consistencyCheck().skipsAsEcho(slot, event);
    }

    /**
     * Processes one event of an object, or one moment it has waited for.
     *
     * @throws InterruptedException if the operator stops
     */
    public CycleResult process(ObjectMemory slot, CycleTrigger cycleTrigger) throws InterruptedException {
        if (cycleTrigger instanceof CycleTrigger.IndexOnly(var queued, var early)) {
            index(slot, early);
            return new CycleResult.AwaitIndices(queued.compact());
        }
        if (cycleTrigger instanceof CycleTrigger.Event(var event, var _, var indexed) && !indexed) {
            index(slot, event);
        }
        ResourceObject resourceObject = processing.subject(slot, new BodyView(cycleTrigger.body()));
        slot.echoVersion = null;
        CyclePatch cyclePatch = new CyclePatch(processing, slot, resourceObject);
        try {
            CycleResult cycleResult =
                    new ProcessingCycle(processing, slot, resourceObject, cycleTrigger, cyclePatch).run();
            endThrottling(slot, resourceObject);
            return cycleResult;
        } catch (LeadershipLostException e) {
            // Whoever leads now does it anew; everything that is left here is about to be dropped.
            resourceObject.localLogger().debug("The handling is given up: {}", e.getMessage());
            return new CycleResult.Idle();
        } catch (RuntimeException | LinkageError | StackOverflowError | AssertionError e) {
            return throttle(slot, resourceObject, cycleTrigger, cyclePatch, e);
        }
    }

    private static void endThrottling(ObjectMemory slot, ResourceObject resourceObject) {
        if (slot.errorsInRow > 0) {
            slot.errorsInRow = 0;
            resourceObject.localLogger().info("Throttling is over. Switching back to normal operations.");
        }
    }

    /** Nothing that was achieved is done again: the patch that could not be sent is sent first next time. */
    private CycleResult throttle(
            ObjectMemory slot,
            ResourceObject resourceObject,
            CycleTrigger cycleTrigger,
            CyclePatch cyclePatch,
            Throwable error) {
        if (cycleTrigger.isGone()) {
            resourceObject
                    .localLogger()
                    .error("The deletion was not processed in full, due to an unexpected error.", error);
            return new CycleResult.Forget();
        }
        Duration delay = processing.errorDelays().ofError(slot.errorsInRow);
        slot.errorsInRow += delay.isZero() ? 0 : 1;
        resourceObject
                .localLogger()
                .error("Throttling for {} seconds due to an unexpected error: {}", delay.toSeconds(), error, error);
        if (error instanceof ClientException) {
            cyclePatch.postpone();
        }
        return new CycleResult.Throttled(processing.platform().after(delay), cyclePatch.newest());
    }
}
