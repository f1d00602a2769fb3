package dev.kopf4j.engine.queueing;

import dev.kopf4j.client.api.WatchEvent;
import dev.kopf4j.engine.cause.RawEvent;
import dev.kopf4j.engine.cause.RawEvent.WatchEventType;
import dev.kopf4j.engine.cause.ResourceVersions;
import dev.kopf4j.engine.cycle.ObjectMemory;
import dev.kopf4j.engine.queueing.ObjectReport.Activity;
import dev.kopf4j.engine.queueing.SharedQueue.WorkPriority;
import dev.kopf4j.json.Json;
import dev.kopf4j.object.ObjectReference;
import dev.kopf4j.runtime.ActionSchedule.ScheduledAction;
import dev.kopf4j.runtime.Deadline;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What waits for one object: its events, a wake-up, and a worker that looks at them; beside it, what processing
 * remembers of the object. A few flags at rest. Guarded by the dispatcher's monitor.
 */
final class ObjectQueue {
    private final ObjectMemory memory;
    private @Nullable WaitingWork work;
    private @Nullable ScheduledAction wakeUp;
    private int listedIn;
    private boolean seenInList;
    private boolean changedSinceList;
    private boolean hasWorker;
    private boolean throttled;

    /** Nothing waits. */
    ObjectQueue(ObjectMemory memory) {
        this.memory = memory;
    }

    /** What processing remembers of the object; not guarded by the monitor. */
    ObjectMemory memory() {
        return memory;
    }

    String uid() {
        return memory.uid();
    }

    ObjectReference reference() {
        return memory.reference();
    }

    /**
     * An event of the object has come.
     *
     * @param isInList true if the list that has begun last has the object
     * @param list the number of that list
     */
    void noticed(WatchEventType type, boolean isInList, int list) {
        if (isInList) {
            listedIn = list;
        }
        seenInList |= type != WatchEventType.DELETED;
        changedSinceList |= type != WatchEventType.LISTED;
    }

    /** A list begins: the object was not seen in it yet. */
    void listStarted() {
        seenInList = false;
        changedSinceList = false;
    }

    /** True if the object has changed since the last list has begun: the list tells of an older state. */
    boolean hasChangedSinceList() {
        return changedSinceList;
    }

    /** True if the object was seen since the last list has begun. */
    boolean wasSeenInList() {
        return seenInList;
    }

    /** The number of the last list that had the object; 0 if none had it. */
    int listedIn() {
        return listedIn;
    }

    /**
     * Adds an event. If only the newest state counts, it replaces an older one, or is dropped if it is older itself.
     *
     * @param now the reading of the clock that tells how long events wait
     */
    void offer(QueuedEvent event, boolean onlyNewest, long now) {
        waiting(now).add(event, onlyNewest);
    }

    /** An event that was taken is to be taken again, before all others. */
    void putBack(QueuedEvent event, long now) {
        waiting(now).putBack(event);
    }

    private WaitingEvents waiting(long now) {
        WaitingWork waiting = work();
        if (waiting.events.isEmpty()) {
            waiting.since = now;
        }
        return waiting.events;
    }

    private WaitingWork work() {
        if (work == null) {
            work = new WaitingWork();
        }
        return work;
    }

    /** How many events wait. */
    int queuedEvents() {
        return work == null ? 0 : work.events.size();
    }

    /** How many of them are of a list. */
    int listedEvents() {
        return work == null ? 0 : work.events.listed();
    }

    /** How urgent its most urgent work is. */
    WorkPriority priority() {
        return work == null ? WorkPriority.LISTED : work.priority();
    }

    /** The reading of the clock when the first of the waiting events came. */
    long waitingSince() {
        return work == null ? 0 : work.since;
    }

    /** Takes the oldest event; null if there is none. */
    @Nullable QueuedEvent poll() {
        return work == null ? null : work.events.poll();
    }

    /**
     * How it is doing, for people.
     *
     * @param served true if a worker looks at it
     */
    ObjectReport report(boolean served) {
        Activity activity = throttled
                ? Activity.THROTTLED
                : served
                        ? Activity.WORKING
                        : hasWorker
                                ? Activity.QUEUED
                                : hasWork() ? Activity.BLOCKED : wakeUp == null ? Activity.RESTING : Activity.WAITING;
        int waiting = queuedEvents() + parkedEvents();
        return new ObjectReport(
                reference(),
                uid(),
                activity,
                new ObjectReport.Backlog(waiting, queuedEvents() == 0 ? 0 : waitingSince()),
                wakeUp == null ? Deadline.NEVER : wakeUp.deadline(),
                hasWorker
                        ? ObjectReport.Remembered.NOTHING
                        : new ObjectReport.Remembered(
                                memory.hasFailed(), memory.hasRefusedChildren(), memory.daemons() != null));
    }

    /** Puts an indexed event aside until all indices are complete, or until the object is not left alone any more. */
    void park(QueuedEvent event, boolean onlyNewest) {
        work().park(event, onlyNewest);
    }

    /** How many events were put aside. */
    int parkedEvents() {
        return work == null || work.parked == null ? 0 : work.parked.size();
    }

    /** Takes the oldest event that was put aside; null if there is none. */
    @Nullable QueuedEvent pollParked() {
        return work == null || work.parked == null ? null : work.parked.poll();
    }

    /** True if the object has a waiting state that is at least as new as that of the event that was taken. */
    boolean isOutdated(QueuedEvent taken) {
        return work != null && work.hasEvents(events -> events.hasNewerThan(taken));
    }

    /** True if a state waits that is at least as new as that version. */
    boolean hasWaiting(String version) {
        return work != null && work.hasEvents(events -> events.has(version));
    }

    /** True if there is something to do. */
    boolean hasWork() {
        return work != null && work.isToBeDone();
    }

    /** Drops everything that is to be done. */
    void dropWork() {
        work = null;
        throttled = false;
    }

    /** Drops everything that is to be done but the events that have not been looked at. */
    void dropAllButEvents() {
        if (work != null) {
            work.dropAllButEvents();
        }
        throttled = false;
        forgetWorkIfDone();
    }

    private void forgetWorkIfDone() {
        if (!hasWorker && !hasWork()) {
            work = null;
        }
    }

    /** True if a worker looks at the object, or will as soon as there is one. */
    boolean hasWorker() {
        return hasWorker;
    }

    void workerAssigned() {
        hasWorker = true;
        memory.workBegins();
    }

    void workerLeft() {
        hasWorker = false;
        forgetWorkIfDone();
        memory.workEnds();
    }

    /** The object is to be looked at, even without an event. */
    void requestWakeUp(WorkPriority priority) {
        work().requestWakeUp(priority);
    }

    /** True if the object was to be looked at without an event; from now on it is not. */
    boolean takeWakeUpRequest() {
        return work != null && work.takeWakeUpRequest();
    }

    /** True if the object is left alone after an unexpected error, whatever comes, but is indexed. */
    boolean isThrottled() {
        return throttled;
    }

    void throttle() {
        throttled = true;
    }

    void endThrottling() {
        throttled = false;
    }

    /** Remembers the entry in the schedule that will wake the object up. */
    void scheduleWakeUp(ScheduledAction entry) {
        wakeUp = entry;
    }

    void cancelWakeUp() {
        if (wakeUp != null) {
            wakeUp.cancel();
            wakeUp = null;
        }
    }

    /** The moment has come: true if it is the one that the object waits for. The entry may have been cancelled late. */
    boolean takeWakeUp(Deadline due) {
        boolean expected = wakeUp != null && wakeUp.deadline().equals(due);
        if (expected) {
            wakeUp = null;
        }
        return expected;
    }

    /**
     * What waits for an object that is not at rest: its events, those of them that were put aside, and a request to
     * look at it without an event. Guarded by the dispatcher's monitor.
     */
    private static final class WaitingWork {
        private final WaitingEvents events = new WaitingEvents();
        private @Nullable WaitingEvents parked;
        private @Nullable WorkPriority wakeRequest;
        /** The reading of the clock when the first of the events came. */
        private long since;

        void park(QueuedEvent event, boolean onlyNewest) {
            if (parked == null) {
                parked = new WaitingEvents();
            }
            parked.addToParked(event, onlyNewest);
        }

        /** True if that is true of the events, or of those that were put aside. */
        boolean hasEvents(Predicate<WaitingEvents> test) {
            return (parked != null && test.test(parked)) || test.test(events);
        }

        WorkPriority priority() {
            WorkPriority requested = wakeRequest == null ? WorkPriority.LISTED : wakeRequest;
            WorkPriority urgency = events.priority(requested);
            return parked == null ? urgency : parked.priority(urgency);
        }

        boolean isToBeDone() {
            return wakeRequest != null || hasEvents(each -> !each.isEmpty());
        }

        void dropAllButEvents() {
            parked = null;
            wakeRequest = null;
        }

        void requestWakeUp(WorkPriority priority) {
            wakeRequest = wakeRequest == null ? priority : wakeRequest.orMoreUrgent(priority);
        }

        boolean takeWakeUpRequest() {
            boolean requested = wakeRequest != null;
            wakeRequest = null;
            return requested;
        }
    }

    /** The waiting events of one object, the oldest first. Guarded by the dispatcher's monitor. */
    static final class WaitingEvents {
        private final Deque<QueuedEvent> events = new ArrayDeque<>(2);

        /**
         * Adds an event. If only the newest state counts, it replaces an older one, or is dropped if it is older
         * itself.
         */
        void add(QueuedEvent event, boolean onlyNewest) {
            if (onlyNewest && !events.isEmpty()) {
                if (event.isOlderThan(events.getLast())) {
                    return;
                }
                events.clear();
            }
            events.add(event);
        }

        /**
         * Adds an event that waits for the indices. If a list is repeated meanwhile, its newer event replaces the older
         * one.
         */
        void addToParked(QueuedEvent event, boolean onlyNewest) {
            QueuedEvent last = events.peekLast();
            if (last != null && last.type() == WatchEventType.LISTED && event.type() == WatchEventType.LISTED) {
                events.removeLast();
            }
            add(event, onlyNewest);
        }

        /** An event that was taken comes first again. */
        void putBack(QueuedEvent event) {
            events.addFirst(event);
        }

        /** Takes the oldest one; null if there is none. */
        @Nullable QueuedEvent poll() {
            return events.poll();
        }

        int size() {
            return events.size();
        }

        /** How many of them are of a list. */
        int listed() {
            int listed = 0;
            for (QueuedEvent event : events) {
                listed += event.type() == WatchEventType.LISTED ? 1 : 0;
            }
            return listed;
        }

        /** How urgent the most urgent of them is, or something else. */
        WorkPriority priority(WorkPriority other) {
            WorkPriority urgency = other;
            for (QueuedEvent event : events) {
                urgency = urgency.orMoreUrgent(event.priority());
            }
            return urgency;
        }

        boolean isEmpty() {
            return events.isEmpty();
        }

        /** True if one of them is of that version, or of a later one. */
        boolean has(String version) {
            return events.stream().anyMatch(each -> ResourceVersions.isAtLeast(each.version(), version));
        }

        /** True if one of them is not older than that event. */
        boolean hasNewerThan(QueuedEvent taken) {
            return events.stream().anyMatch(later -> !later.isOlderThan(taken));
        }
    }

    /** An event of an object, as it waits to be processed. Immutable. */
    sealed interface QueuedEvent {
        /** An event whose object is parsed already. */
        static QueuedEvent parsed(RawEvent event) {
            return new Parsed(event);
        }

        /** An event of a watch, whose object is parsed when its turn comes. */
        static QueuedEvent unparsed(WatchEventType type, WatchEvent event) {
            return new Unparsed(type, event);
        }

        /**
         * The same event as text, for a long wait among many others: a parsed tree takes about ten times as much
         * memory.
         */
        default QueuedEvent compact() {
            return this;
        }

        /** The event. */
        RawEvent event();

        /** What happened. */
        WatchEventType type();

        /** The version of the object; empty if it has none. */
        String version();

        /** How urgent it is. */
        default WorkPriority priority() {
            return switch (type()) {
                case LISTED -> WorkPriority.LISTED;
                case DELETED -> WorkPriority.DELETION;
                case ADDED, MODIFIED -> WorkPriority.CHANGE;
            };
        }

        /**
         * True if this state is older than that of an earlier event: it has come late, or once more. A listed or a
         * deleted state is never older, whatever its version says: the server may have begun to count anew.
         */
        default boolean isOlderThan(QueuedEvent earlier) {
            return type() != WatchEventType.LISTED
                    && type() != WatchEventType.DELETED
                    && ResourceVersions.isOlder(version(), earlier.version());
        }

        /** As it came in a list. */
        record Parsed(RawEvent event) implements QueuedEvent {
            @Override
            public QueuedEvent compact() {
                return new Compact(event.type(), version(), Json.bytes(event.body()), event.synthetic());
            }

            @Override
            public WatchEventType type() {
                return event.type();
            }

            @Override
            public String version() {
                return ResourceVersions.of(event.body());
            }
        }

        /** With its object as JSON. */
        @SuppressWarnings("ArrayRecordComponent") // private to the queue
        record Compact(WatchEventType type, String version, byte[] body, boolean synthetic) implements QueuedEvent {
            @Override
            public RawEvent event() {
                return new RawEvent(type, Json.parseObject(body), synthetic);
            }
        }

        /** As it came in a watch. */
        record Unparsed(WatchEventType type, WatchEvent line) implements QueuedEvent {
            @Override
            public RawEvent event() {
                return RawEvent.of(type, line.object());
            }

            @Override
            public String version() {
                return line.resourceVersion();
            }

            @Override
            public WorkPriority priority() {
                return line.isDeleting() ? WorkPriority.DELETION : QueuedEvent.super.priority();
            }
        }
    }
}
