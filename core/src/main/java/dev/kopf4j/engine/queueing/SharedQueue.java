package dev.kopf4j.engine.queueing;

import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An {@link AgeingQueue} for items of several groups, of each of which only so many may be served at a time: further
 * ones wait, and let items of other groups pass. Adding and taking cost a little more with each tenfold of groups that
 * have waiting items. Confined or guarded by its owner.
 *
 * @param <T> the items, told apart by {@code equals}
 */
public final class SharedQueue<T> {
    private final Function<T, String> groupOf;
    private final int limit;
    private final Map<String, Group> groups = new HashMap<>();
    private final TreeSet<Group> ready = new TreeSet<>(SharedQueue::compare);
    private long order;

    /**
     * Makes an empty queue.
     *
     * @param groupOf the group of an item
     * @param limit how many items of a group may be served at a time; null for no limit
     */
    public SharedQueue(Function<T, String> groupOf, @Nullable Integer limit) {
        this.groupOf = limit == null ? _ -> "" : groupOf;
        this.limit = limit == null ? Integer.MAX_VALUE : limit;
    }

    private final class Group {
        final String name;
        final long number = order++;
        final AgeingQueue<T> waiting = new AgeingQueue<>();
        int served;
        long due;

        Group(String name) {
            this.name = name;
        }

        boolean hasRoom() {
            return served < limit;
        }
    }

    private static <T> int compare(SharedQueue<T>.Group one, SharedQueue<T>.Group other) {
        // Readings of the clock may overflow: only their difference means something.
        int byDue = Long.signum(one.due - other.due);
        return byDue == 0 ? Long.compare(one.number, other.number) : byDue;
    }

    /** True if the item may be served now, as far as its group is concerned. */
    public boolean hasRoomFor(T item) {
        Group group = groups.get(groupOf.apply(item));
        return group == null || group.hasRoom();
    }

    /** An item is served from now on that has not waited. */
    public void begin(T item) {
        change(item, group -> group.served++);
    }

    /** An item is not served any more. */
    public void end(T item) {
        change(item, group -> group.served--);
    }

    /** As {@link AgeingQueue#add}. */
    public void add(T item, WorkPriority priority, long now) {
        change(item, group -> group.waiting.add(item, priority, now));
    }

    /** As {@link AgeingQueue#raise}. */
    public void raise(T item, WorkPriority priority, long now) {
        change(item, group -> group.waiting.raise(item, priority, now));
    }

    /** Takes the item that is due first, of groups that have room, and serves it; null if there is none. */
    public @Nullable T poll() {
        Group first = ready.isEmpty() ? null : ready.first();
        return first == null
                ? null
                : change(first, group -> {
                    group.served++;
                    return group.waiting.poll();
                });
    }

    /** True if an item waits whose group has room. */
    public boolean hasReady() {
        return !ready.isEmpty();
    }

    /** The item does not wait any more, if it does. */
    public void remove(T item) {
        change(item, group -> group.waiting.remove(item));
    }

    /** Takes any waiting item, without serving it; null if none waits. */
    public @Nullable T drop() {
        for (Group group : groups.values()) {
            if (!group.waiting.isEmpty()) {
                return change(group, each -> each.waiting.poll());
            }
        }
        return null;
    }

    private void change(T item, Consumer<Group> change) {
        var _ = change(groups.computeIfAbsent(groupOf.apply(item), Group::new), group -> {
            change.accept(group);
            return null;
        });
    }

    /** Changes a group, and puts it where it belongs then. */
    private @Nullable T change(Group group, Function<Group, @Nullable T> change) {
        ready.remove(group);
        T result = change.apply(group);
        Long due = group.waiting.firstDue();
        if (due != null && group.hasRoom()) {
            group.due = due;
            ready.add(group);
        } else if (due == null && group.served == 0) {
            groups.remove(group.name);
        }
        return result;
    }

    /**
     * A queue in which urgent items overtake others, but not for ever: an item is due when it has given way for as long
     * as its {@link WorkPriority} says, and the one that is due first is served first. Items of one class keep their
     * order, so each class is a plain queue whose first item is its most urgent one: adding and taking cost the same,
     * however many items wait. Confined or guarded by its owner.
     *
     * @param <T> the items, told apart by {@code equals}
     */
    static final class AgeingQueue<T> {
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

        /** The item does not wait any more, if it does. */
        void remove(T item) {
            waiting.values().forEach(bucket -> bucket.remove(item));
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
                    Head<T> head =
                            new Head<>(oldest.getKey(), due(bucket.getKey(), oldest.getValue()), bucket.getValue());
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

    /**
     * How urgent the work of an object is, the most urgent first. Each class gives way to more urgent work for a
     * bounded time: work of class A is overtaken by work of a more urgent class B only if that comes at most
     * {@code A.givesWay() - B.givesWay()} later. So nothing starves, however much urgent work there is. Timers and
     * daemons are not among them: they run in tasks of their own, and never wait for a worker.
     */
    public enum WorkPriority {
        /** An object is gone, or is to be deleted: somebody waits for its finalizer. */
        DELETION(Duration.ZERO),
        /** An object was created or changed. */
        CHANGE(Duration.ofSeconds(1)),
        /** A child of the object was created, changed or deleted. */
        CHILD(Duration.ofSeconds(2)),
        /** A moment has come that the object has waited for: a retry, the end of a pause after an error. */
        RETRY(Duration.ofSeconds(3)),
        /** A daemon or timer of the object has ended. */
        BACKGROUND(Duration.ofSeconds(5)),
        /** The object was listed: at the start, after an interruption, or to be looked at again. */
        LISTED(Duration.ofSeconds(10));

        private final Duration givesWay;

        WorkPriority(Duration givesWay) {
            this.givesWay = givesWay;
        }

        /** For how long work of this class gives way to later work that must not wait at all. */
        public Duration givesWay() {
            return givesWay;
        }

        /** The more urgent of the two. */
        public WorkPriority orMoreUrgent(WorkPriority other) {
            return compareTo(other) <= 0 ? this : other;
        }
    }
}
