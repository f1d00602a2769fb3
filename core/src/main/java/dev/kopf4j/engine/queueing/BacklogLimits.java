package dev.kopf4j.engine.queueing;

import dev.kopf4j.OperatorSettings;
import dev.kopf4j.engine.cause.RawEvent.WatchEventType;
import dev.kopf4j.engine.cycle.ObjectProcessor;
import org.jspecify.annotations.Nullable;

/**
 * How many events may wait: of all objects, and of one object whose events all count. Beyond that the stream waits.
 * Guarded by the dispatcher's monitor.
 */
final class BacklogLimits {
    private final OperatorSettings.Queueing settings;
    private final ObjectProcessor processor;
    private final KnownObjects objects;
    private final StreamIndexReadiness readiness;
    private boolean listedForParents;

    BacklogLimits(
            OperatorSettings.Queueing settings,
            ObjectProcessor processor,
            KnownObjects objects,
            StreamIndexReadiness readiness) {
        this.settings = settings;
        this.processor = processor;
        this.objects = objects;
        this.readiness = readiness;
    }

    /** Handlers wait until the list is read to its end. */
    void isListedForParents() {
        listedForParents = true;
    }

    /**
     * True if an event of the object can be taken now. Changes have room of their own, so that they need not wait until
     * the objects of a long list are processed.
     *
     * @param queue the object; null if it is not known yet
     */
    boolean hasRoom(@Nullable ObjectQueue queue, WatchEventType type) {
        boolean mustNotWait = listedForParents && type == WatchEventType.LISTED && readiness.isClosed();
        if (mustNotWait || (queue != null && takesNoMoreRoom(queue))) {
            return true;
        }
        int waiting = type == WatchEventType.LISTED ? objects.queuedListed() : objects.queuedChanges();
        return waiting < settings.backlogLimit() && readiness.countedEvents(queue) < settings.eventBacklogLimit();
    }

    /** True if any event can be taken now. */
    boolean hasRoom() {
        return hasRoom(null, WatchEventType.LISTED) && hasRoom(null, WatchEventType.MODIFIED);
    }

    /** Why there is no room, for people. */
    String describe() {
        int events = Math.max(objects.queuedListed(), objects.queuedChanges());
        return events >= settings.backlogLimit()
                ? events + " events wait to be processed (queueing.backlogLimit)"
                : "as many events of one object as may wait to be processed (queueing.eventBacklogLimit)";
    }

    /** The event replaces one that waits, or the object does not hold up the stream by its throttling. */
    private boolean takesNoMoreRoom(ObjectQueue queue) {
        return queue.isThrottled() || (queue.queuedEvents() > 0 && onlyNewestCounts(queue));
    }

    /**
     * True if only the newest state of the object is kept. That is so for index functions, too, if the object is busy
     * for long: it must not hold up the stream, and indices are right with the newest state.
     */
    boolean onlyNewestCounts(ObjectQueue queue) {
        boolean tooMany = queue.queuedEvents() >= settings.eventBacklogLimit();
        return queue.isThrottled() || !processor.seesEachEvent() || (tooMany && !processor.keepsEachEvent());
    }
}
