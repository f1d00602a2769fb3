package dev.kopf4j.engine.queueing;

import dev.kopf4j.engine.cause.RawEvent.WatchEventType;
import dev.kopf4j.engine.cause.ResourceVersions;
import dev.kopf4j.engine.queueing.order.WorkPriority;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** The waiting events of one object, the oldest first. Guarded by the dispatcher's monitor. */
final class WaitingEvents {
    private final Deque<QueuedEvent> events = new ArrayDeque<>(2);

    /**
     * Adds an event. If only the newest state counts, it replaces an older one, or is dropped if it is older itself.
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

    /** Takes the oldest one; null if there is none. */
    @Nullable QueuedEvent poll() {
        return events.poll();
    }

    int size() {
        return events.size();
    }

    /** How many of them are of a list. */
    int listed() {
        return (int) events.stream()
                .filter(event -> event.type() == WatchEventType.LISTED)
                .count();
    }

    /** How urgent the most urgent of them is, or something else. */
    WorkPriority priority(WorkPriority other) {
        return events.stream().map(QueuedEvent::priority).reduce(other, WorkPriority::orMoreUrgent);
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
