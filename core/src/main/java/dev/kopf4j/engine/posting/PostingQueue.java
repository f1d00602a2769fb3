package dev.kopf4j.engine.posting;

import dev.kopf4j.engine.posting.EventRequests.KubernetesEventBody.Repeats;
import dev.kopf4j.hierarchy.ObjectEvent;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The events that wait to be posted, in their order. What has happened again meanwhile is counted, not queued; so is
 * what was posted a short while ago: that event is changed, and not more often than every few seconds. Guarded by the
 * poster's monitor.
 */
final class PostingQueue {
    /** How often an event that is posted already is changed at the most. */
    private static final Duration CHANGED_EVERY = Duration.ofSeconds(10);

    /** Each is about as large as its message. */
    private static final int REMEMBERED_MAX = 1000;

    private final Platform platform;
    private final Duration aggregation;
    private final int limit;
    private final Deque<Entry> fresh = new ArrayDeque<>();
    private final Deque<Entry> repeated = new ArrayDeque<>();
    private final Map<ObjectEvent, Entry> known = new LinkedHashMap<>();
    private int dropped;

    PostingQueue(Platform platform, Duration aggregation, int limit) {
        this.platform = platform;
        this.aggregation = aggregation;
        this.limit = limit;
    }

    /** One event, with all its repeats. */
    static final class Entry {
        final ObjectEvent event;
        Repeats repeats;
        /** The namespace and the name that it was posted with; null as long as it was not. */
        @Nullable Posted posted;

        private Deadline changedFrom = Deadline.NEVER;
        private boolean waiting = true;

        private Entry(ObjectEvent event, Repeats repeats) {
            this.event = event;
            this.repeats = repeats;
        }
    }

    /** Where an event is. */
    record Posted(String namespace, String name) {}

    /** Takes an event; if there are too many, it is dropped and counted. */
    void offer(ObjectEvent event) {
        Instant now = platform.now();
        Entry same = remembered(event, now);
        if (same != null) {
            same.repeats = same.repeats.again(now);
            if (!same.waiting) {
                same.waiting = true;
                repeated.add(same);
            }
        } else if (fresh.size() >= limit) {
            dropped++;
        } else {
            remember(new Entry(event, Repeats.once(now)));
        }
    }

    private @Nullable Entry remembered(ObjectEvent event, Instant now) {
        Entry same = known.get(event);
        boolean recent = same != null && now.isBefore(same.repeats.first().plus(aggregation));
        return recent ? same : null;
    }

    private void remember(Entry entry) {
        fresh.add(entry);
        known.remove(entry.event);
        if (!aggregation.isZero()) {
            known.put(entry.event, entry);
        }
        if (known.size() > REMEMBERED_MAX) {
            known.remove(known.keySet().iterator().next());
        }
    }

    /** The next event to post or to change; empty if there is none at the moment. */
    Optional<Entry> poll() {
        Entry next = fresh.poll();
        if (next == null && !repeated.isEmpty() && dueOfRepeated().hasPassed(platform)) {
            next = repeated.remove();
        }
        if (next != null) {
            next.waiting = false;
            next.changedFrom = platform.after(CHANGED_EVERY);
        }
        return Optional.ofNullable(next);
    }

    /** When the next one will be there if no new one comes. */
    Deadline dueOfRepeated() {
        Entry first = repeated.peek();
        return first == null ? Deadline.NEVER : first.changedFrom;
    }

    boolean isEmpty() {
        return fresh.isEmpty() && repeated.isEmpty();
    }

    /** Nothing needs to be counted any longer: everything that waits is due now. */
    void hurry() {
        repeated.forEach(entry -> entry.changedFrom = platform.after(Duration.ZERO));
    }

    /** How many were dropped since this was asked last. */
    int takeDropped() {
        int number = dropped;
        dropped = 0;
        return number;
    }
}
