package dev.kopf4j.engine.reactor;

import dev.kopf4j.Resource;
import dev.kopf4j.client.error.ClientException;
import dev.kopf4j.client.error.FencedException;
import dev.kopf4j.engine.cause.RawEvent;
import dev.kopf4j.engine.daemon.ObjectDaemons;
import dev.kopf4j.engine.handling.context.Subject;
import dev.kopf4j.engine.handling.registration.ResourceHandlers;
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
    private final ObjectServing serving;

    /** A processor for the objects of one resource. */
    public ObjectProcessor(Platform platform, Resource resource, ResourceHandlers handlers, Processing processing) {
        this.serving = ObjectServing.of(platform, resource, handlers, processing);
    }

    /** True if each event counts; otherwise only the newest state does. */
    boolean seesEachEvent() {
        return keepsEachEvent() || indexes();
    }

    /** True if each event counts also for handlers that wait for the indices to be complete. */
    boolean keepsEachEvent() {
        return !serving.handlers().events().isEmpty();
    }

    /** True if the objects are in indices. */
    boolean indexes() {
        return !serving.indexer().isIdle();
    }

    /** True if there are handlers that must not be called before everything is indexed. */
    boolean waitsForIndices() {
        return serving.waitsForIndices();
    }

    /**
     * Calls the index functions, and nobody else, with an event of an object.
     *
     * @throws InterruptedException if the operator stops
     */
    private void index(ObjectSlot slot, RawEvent event) throws InterruptedException {
        if (!indexes()) {
            return;
        }
        Subject subject = serving.subject(slot, new BodyView(event.body()), ObjectLogger.terse(slot.reference));
        try {
            slot.indexed = serving.indexer().update(subject, event, slot.indexed);
        } catch (RuntimeException | LinkageError | StackOverflowError | AssertionError e) {
            subject.logger().error("The object could not be indexed, due to an unexpected error.", e);
        }
    }

    /** The object is not looked at any more, and leaves the indices. */
    void discard(ObjectSlot slot) {
        serving.indexer().discard(slot.indexed);
        slot.indexed = null;
    }

    /** What daemons and timers an object has left from an earlier stream; null if there are none. */
    @Nullable ObjectDaemons daemonsOf(String uid) {
        return serving.processing().daemons().find(serving.resource(), uid);
    }

    /** The object was listed after the last thing that is known of it: versions may have started anew. */
    void forgetKnown(ObjectSlot slot) {
        serving.consistency().forget(slot);
    }

    /** True if there is nothing to be done for an event, and nobody needs to see it. */
    boolean passesOver(ObjectSlot slot, QueuedEvent event) {
        return serving.consistency().passesOver(slot, event);
    }

    /**
     * Processes one event of an object, or one moment it has waited for.
     *
     * @throws InterruptedException if the operator stops
     */
    Next process(ObjectSlot slot, Trigger trigger) throws InterruptedException {
        if (trigger instanceof Trigger.Early(var queued, var early)) {
            index(slot, early);
            return new Next.Parked(queued.compact());
        }
        if (trigger instanceof Trigger.Event(var event, var _, var indexed) && !indexed) {
            index(slot, event);
        }
        Subject subject = serving.subject(slot, new BodyView(trigger.body()));
        slot.settledIn = null;
        Delivery delivery = new Delivery(serving, slot, subject);
        try {
            Next next = new Cycle(serving, slot, subject, trigger, delivery).run();
            endThrottling(slot, subject);
            return next;
        } catch (FencedException e) {
            // Whoever leads now does it anew; everything that is left here is about to be dropped.
            subject.localLogger().debug("The handling is given up: {}", e.getMessage());
            return new Next.Rest();
        } catch (RuntimeException | LinkageError | StackOverflowError | AssertionError e) {
            return throttle(slot, subject, trigger, delivery, e);
        }
    }

    private static void endThrottling(ObjectSlot slot, Subject subject) {
        if (slot.errorsInRow > 0) {
            slot.errorsInRow = 0;
            subject.localLogger().info("Throttling is over. Switching back to normal operations.");
        }
    }

    /** Nothing that was achieved is done again: the patch that could not be sent is sent first next time. */
    private Next throttle(ObjectSlot slot, Subject subject, Trigger trigger, Delivery delivery, Throwable error) {
        if (trigger.isGone()) {
            subject.localLogger().error("The deletion was not processed in full, due to an unexpected error.", error);
            return new Next.Forget();
        }
        Duration delay = serving.errorDelays().ofError(slot.errorsInRow);
        slot.errorsInRow += delay.isZero() ? 0 : 1;
        subject.localLogger()
                .error("Throttling for {} seconds due to an unexpected error: {}", delay.toSeconds(), error, error);
        if (error instanceof ClientException) {
            delivery.postpone();
        }
        return new Next.Throttled(serving.platform().after(delay), delivery.newest());
    }
}
