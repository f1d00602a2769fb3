package dev.kopf4j.engine.queueing.order;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/**
 * A queue in which urgent items overtake others, but not for ever: an item is due when it has given way for as long as
 * its {@link WorkPriority} says, and the one that is due first is served first. Items of one class keep their order, so
 * each class is a plain queue whose first item is its most urgent one: adding and taking cost the same, however many
 * items wait. Confined or guarded by its owner.
 *
 * @param <T> the items, told apart by {@code equals}
 */
public final class AgeingQueue<T> {
    private final Map<WorkPriority, SequencedMap<T, Long>> waiting = new EnumMap<>(WorkPriority.class);

    /** Makes an empty queue. */
    public AgeingQueue() {}

    /** An item that is about to be served. */
    private record Head<T>(T item, long due, SequencedMap<T, Long> bucket) {
        boolean isBefore(@Nullable Head<T> other) {
            // Readings of the clock may overflow: only their difference means something.
            return other == null || due - other.due < 0;
        }
    }

    /**
     * Adds an item that does not wait yet.
     *
     * @param now the reading of a monotonic clock, in nanoseconds; not before that of earlier calls
     */
    public void add(T item, WorkPriority priority, long now) {
        waiting.computeIfAbsent(priority, _ -> new LinkedHashMap<>()).put(item, now);
    }

    /** Lets a waiting item move up, if it is served sooner so; nothing happens if it does not wait. */
    public void raise(T item, WorkPriority priority, long now) {
        for (Map.Entry<WorkPriority, SequencedMap<T, Long>> bucket : waiting.entrySet()) {
            Long since = bucket.getValue().get(item);
            if (since != null) {
                if (due(priority, now) - due(bucket.getKey(), since) < 0) {
                    bucket.getValue().remove(item);
                    add(item, priority, now);
                }
                return;
            }
        }
    }

    /** Takes the item that is due first; null if none waits. */
    public @Nullable T poll() {
        Head<T> first = first();
        if (first == null) {
            return null;
        }
        first.bucket().pollFirstEntry();
        return first.item();
    }

    /** When the first item is due, by the clock of {@link #add}; null if none waits. */
    @Nullable Long firstDue() {
        Head<T> first = first();
        return first == null ? null : first.due();
    }

    private @Nullable Head<T> first() {
        Head<T> first = null;
        for (Map.Entry<WorkPriority, SequencedMap<T, Long>> bucket : waiting.entrySet()) {
            Map.Entry<T, Long> oldest = bucket.getValue().firstEntry();
            if (oldest != null) {
                Head<T> head = new Head<>(oldest.getKey(), due(bucket.getKey(), oldest.getValue()), bucket.getValue());
                first = head.isBefore(first) ? head : first;
            }
        }
        return first;
    }

    private static long due(WorkPriority priority, long since) {
        return since + priority.givesWay().toNanos();
    }

    /** True if no item waits. */
    public boolean isEmpty() {
        return waiting.values().stream().allMatch(Map::isEmpty);
    }
}
