package dev.kopf4j.engine.queueing.order;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
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
        change(item, group -> {
            group.served++;
            return null;
        });
    }

    /** An item is not served any more. */
    public void end(T item) {
        change(item, group -> {
            group.served--;
            return null;
        });
    }

    /** As {@link AgeingQueue#add}. */
    public void add(T item, WorkPriority priority, long now) {
        change(item, group -> {
            group.waiting.add(item, priority, now);
            return null;
        });
    }

    /** As {@link AgeingQueue#raise}. */
    public void raise(T item, WorkPriority priority, long now) {
        change(item, group -> {
            group.waiting.raise(item, priority, now);
            return null;
        });
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

    /** Takes any waiting item, without serving it; null if none waits. */
    public @Nullable T drop() {
        for (Group group : groups.values()) {
            if (!group.waiting.isEmpty()) {
                return change(group, each -> each.waiting.poll());
            }
        }
        return null;
    }

    private void change(T item, Function<Group, @Nullable T> change) {
        change(groups.computeIfAbsent(groupOf.apply(item), Group::new), change);
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
}
