package dev.kopf4j.engine.queueing;

import dev.kopf4j.OperatorSettings;
import dev.kopf4j.engine.cause.RawEvent.WatchEventType;
import dev.kopf4j.engine.cycle.ObjectProcessor;
import dev.kopf4j.runtime.ActionSchedule;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.text.DurationText;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How many events may wait: of all objects, and of one object whose events all count. Beyond that the stream waits.
 * Guarded by the dispatcher's monitor.
 */
final class BacklogLimit {
    private final OperatorSettings.Queueing settings;
    private final ObjectProcessor processor;
    private final KnownObjects objects;
    private final StreamIndexReadiness readiness;
    private boolean listedForParents;

    BacklogLimit(ObjectProcessor processor, KnownObjects objects, StreamIndexReadiness readiness) {
        this.settings = processor.cycles().settings().queueing();
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

    /**
     * Lets the reader of a list or of a watch wait while the backlog is full, and tells the stream's health if that
     * takes too long: while nobody reads, nobody hears the server either. Thread-safe.
     *
     * <p>Each event may have to wait. Therefore all waits share one entry in the schedule, and none has a time limit of
     * its own.
     */
    static final class Wait {
        /** After this time, the stream counts as held up. */
        private static final Duration SHORT = Duration.ofSeconds(1);

        private final Platform platform;
        private final Monitor monitor;
        private final ActionSchedule actionSchedule;
        private final BacklogLimit backlog;
        private final StreamHealth health;
        private final StreamHealth.Reader reader;

        // Guarded by the monitor.
        private @Nullable Deadline tooLong;
        private boolean checking;

        /**
         * Nobody waits.
         *
         * @param monitor the dispatcher's
         */
        Wait(
                Platform platform,
                Monitor monitor,
                ActionSchedule actionSchedule,
                BacklogLimit backlog,
                StreamHealth health,
                StreamHealth.Reader reader) {
            this.platform = platform;
            this.monitor = monitor;
            this.actionSchedule = actionSchedule;
            this.backlog = backlog;
            this.health = health;
            this.reader = reader;
        }

        /** Waits for the attempt to succeed. Without the monitor. */
        <T> T until(Supplier<Optional<T>> attempt) throws InterruptedException {
            Optional<T> atOnce = monitor.locked(attempt);
            return atOnce.isPresent() ? atOnce.get() : waited(attempt);
        }

        private <T> T waited(Supplier<Optional<T>> attempt) throws InterruptedException {
            Deadline keepingUp = platform.after(SHORT);
            boolean unchecked = monitor.locked(() -> {
                boolean first = !checking;
                tooLong = platform.after(health.patience());
                checking = true;
                return first;
            });
            if (unchecked) {
                check();
            }
            health.waits(reader, true);
            try {
                return monitor.await(attempt, Deadline.NEVER).orElseThrow();
            } finally {
                health.waits(reader, false);
                monitor.locked(() -> {
                    tooLong = null;
                });
                if (!keepingUp.hasPassed(platform) && monitor.locked(() -> backlog.hasRoom())) {
                    health.keepsUp();
                }
            }
        }

        /** Looks again when the present wait will have taken too long; not any more when nobody waits. */
        private void check() {
            Deadline limit = monitor.locked(() -> {
                checking = tooLong != null;
                return tooLong;
            });
            if (limit == null) {
                return;
            }
            boolean late = limit.hasPassed(platform);
            if (late) {
                health.heldUp(monitor.locked(backlog::describe) + ", and none was taken for "
                        + DurationText.format(health.patience()) + ": handlers, or the API server, are slow");
            }
            actionSchedule.at(late ? platform.after(health.patience()) : limit, this::check);
        }
    }
}
