package dev.kopf4j.runtime;

import dev.kopf4j.runtime.Task.TaskEndError;
import java.time.Duration;
import java.util.Optional;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs actions later: a heap of entries, served by one task. A waiting entry costs an object, not a thread.
 *
 * <p>Thread-safe. The actions run one after another in the schedule's own task, so they must be quick and never wait.
 */
public final class ActionSchedule implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.runtime");

    private final Platform platform;
    private final String name;

    /** Guards everything below. */
    private final Monitor monitor;

    private final ScheduledActionHeap entries = new ScheduledActionHeap();
    private long order;
    private @Nullable Task task;
    private boolean closed;

    /** Makes an empty schedule; its task starts with the first entry. */
    public ActionSchedule(Platform platform, String name) {
        this.platform = platform;
        this.name = name;
        this.monitor = platform.monitor();
    }

    /** Runs the action after the delay; at once if it is zero or negative. */
    public ScheduledAction after(Duration delay, Runnable action) {
        return at(platform.after(delay), action);
    }

    /** Runs the action at the given moment. Ignored after {@link #close}. */
    public ScheduledAction at(Deadline deadline, Runnable action) {
        return monitor.locked(() -> {
            ScheduledAction entry = new ScheduledAction(this, deadline, order++, action);
            if (!closed) {
                entries.add(entry);
                if (task == null) {
                    task = platform.spawn(name, this::serve);
                }
            }
            return entry;
        });
    }

    /** How many entries are waiting. */
    public int size() {
        return monitor.locked(entries::size);
    }

    void cancel(ScheduledAction entry) {
        monitor.locked(() -> entries.cancel(entry));
    }

    /** Drops all entries, and ends the task. */
    @Override
    public void close() {
        monitor.locked(() -> {
            closed = true;
            entries.clear();
        });
    }

    private void serve() {
        try {
            boolean open;
            do {
                open = runNext();
            } while (open);
        } catch (InterruptedException e) {
            close();
            Thread.currentThread().interrupt();
        }
    }

    /** Keeps nothing of the action while the next one is awaited; false if the schedule is closed. */
    private boolean runNext() throws InterruptedException {
        Optional<Runnable> due = awaitDue();
        due.ifPresent(this::run);
        return due.isPresent();
    }

    /** Whatever one action throws, the others have their turn. */
    private void run(Runnable action) {
        try {
            action.run();
        } catch (TaskEndError e) {
            throw e;
        } catch (RuntimeException | Error e) {
            log.error(
                    "An action of the schedule '{}' has failed unexpectedly; the others go on.",
                    name,
                    Platform.tellable(e));
        }
    }

    /** Waits for the next action that is due; empty if the schedule is closed. */
    private Optional<Runnable> awaitDue() throws InterruptedException {
        while (true) {
            Deadline next = monitor.locked(() -> {
                ScheduledAction first = entries.first();
                return first == null ? Deadline.NEVER : first.deadline();
            });
            Optional<Optional<Runnable>> taken = monitor.await(() -> takeDue(next), next);
            if (taken.isPresent() && (taken.get().isPresent() || isClosed())) {
                return taken.get();
            }
        }
    }

    private boolean isClosed() {
        return monitor.locked(() -> closed);
    }

    /**
     * Returns an action if one is due. An empty inner value wakes the caller up to look again: the schedule was closed,
     * or an entry came that is due before the expected moment.
     */
    private Optional<Optional<Runnable>> takeDue(Deadline expected) {
        if (closed) {
            return Optional.of(Optional.empty());
        }
        ScheduledAction first = entries.first();
        if (first != null && first.deadline().hasPassed(platform)) {
            entries.removeFirst();
            return Optional.of(Optional.ofNullable(first.takeAction()));
        }
        boolean sooner = first != null && first.deadline().compareTo(expected) < 0;
        return sooner ? Optional.of(Optional.empty()) : Optional.empty();
    }

    /**
     * The waiting actions of a schedule, the earliest first. To find an entry in the heap, all of it would have to be
     * searched: so cancelled entries stay in it until they are many. Confined to the lock of the schedule.
     */
    private static final class ScheduledActionHeap {
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

    /** An action of an {@link ActionSchedule} that runs later, once. Thread-safe. */
    public static final class ScheduledAction implements Comparable<ScheduledAction> {
        private final ActionSchedule schedule;
        private final Deadline deadline;
        private final long order;

        /** Null after it has run or was cancelled, so that nothing that it refers to is held any longer. */
        private @Nullable Runnable action;

        ScheduledAction(ActionSchedule schedule, Deadline deadline, long order, Runnable action) {
            this.schedule = schedule;
            this.deadline = deadline;
            this.order = order;
            this.action = action;
        }

        /** The moment when it is due. */
        public Deadline deadline() {
            return deadline;
        }

        /** Takes it out of the schedule; nothing happens if it has run already. */
        public void cancel() {
            schedule.cancel(this);
        }

        /** False after {@link #takeAction}. Guarded by the lock of the schedule, as that is. */
        boolean isWaiting() {
            return action != null;
        }

        /** Returns the action once; null after that. */
        @Nullable Runnable takeAction() {
            Runnable taken = action;
            action = null;
            return taken;
        }

        @Override
        public int compareTo(ScheduledAction other) {
            int byTime = deadline.compareTo(other.deadline);
            return byTime != 0 ? byTime : Long.compare(order, other.order);
        }
    }
}
