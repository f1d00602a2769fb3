package dev.kopf4j.runtime;

import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The waiting actions of a schedule, the earliest first. To find an entry in the heap, all of it would have to be
 * searched: so cancelled entries stay in it until they are many. Confined to the lock of the schedule.
 */
final class ScheduledActionHeap {
    private static final int CANCELLED_MIN = 64;

    private final PriorityQueue<ScheduledAction> entries = new PriorityQueue<>();
    private int cancelled;

    /** How many actions wait. */
    int size() {
        return entries.size() - cancelled;
    }

    void add(ScheduledAction entry) {
        entries.add(entry);
    }

    void cancel(ScheduledAction entry) {
        if (entry.isWaiting()) {
            var _ = entry.takeAction();
            cancelled++;
            dropCancelledIfMany();
        }
    }

    private void dropCancelledIfMany() {
        if (cancelled > CANCELLED_MIN && cancelled > entries.size() / 2) {
            entries.removeIf(entry -> !entry.isWaiting());
            cancelled = 0;
        }
    }

    /** The earliest action that waits; null if none does. */
    @Nullable ScheduledAction first() {
        while (!entries.isEmpty() && !entries.peek().isWaiting()) {
            entries.remove();
            cancelled--;
        }
        return entries.peek();
    }

    void removeFirst() {
        entries.remove();
    }

    void clear() {
        entries.clear();
        cancelled = 0;
    }
}
