package dev.kopf4j.runtime;

import java.time.Duration;
import java.util.Optional;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Things to do later: a heap of entries, served by one task. An entry at rest costs an object, not a thread.
 *
 * <p>Thread-safe. Actions run one after another in the schedule's own task: they are quick and never wait.
 */
public final class ActionSchedule implements AutoCloseable {
    private static final int CANCELLED_MIN = 64;

    private final Platform platform;
    private final String name;
    private final Monitor monitor;
    private final PriorityQueue<ScheduledAction> entries = new PriorityQueue<>();
    private long order;
    private int cancelled;
    private @Nullable Task task;
    private boolean closed;

    /** An empty schedule; its task starts with the first entry. */
    public ActionSchedule(Platform platform, String name) {
        this.platform = platform;
        this.name = name;
        this.monitor = platform.monitor();
    }

    /** Runs the action once {@code delay} has passed; at once if it is zero or negative. */
    public ScheduledAction after(Duration delay, Runnable action) {
        return at(platform.after(delay), action);
    }

    /** Runs the action at the given moment. Ignored after {@link #close}. */
    public ScheduledAction at(Deadline deadline, Runnable action) {
        return monitor.locked(() -> {
            ScheduledAction scheduledAction = new ScheduledAction(this, deadline, order++, action);
            if (!closed) {
                entries.add(scheduledAction);
                if (task == null) {
                    task = platform.spawn(name, this::serve);
                }
            }
            return scheduledAction;
        });
    }

    /** How many entries are waiting. */
    public int size() {
        return monitor.locked(() -> entries.size() - cancelled);
    }

    /** Finding an entry in the heap would cost a walk through all of it: cancelled ones stay until many are. */
    private void cancel(ScheduledAction scheduledAction) {
        monitor.locked(() -> {
            if (scheduledAction.action != null) {
                scheduledAction.action = null;
                cancelled++;
                dropCancelledIfMany();
            }
        });
    }

    private void dropCancelledIfMany() {
        if (cancelled > CANCELLED_MIN && cancelled > entries.size() / 2) {
            entries.removeIf(scheduledAction -> scheduledAction.action == null);
            cancelled = 0;
        }
    }

    /** Drops all entries, and ends the task. */
    @Override
    public void close() {
        monitor.locked(() -> {
            closed = true;
            cancelled = 0;
            entries.clear();
        });
    }

    private void serve() {
        try {
            Optional<Runnable> due = awaitDue();
            while (due.isPresent()) {
                due.get().run();
                due = awaitDue();
            }
        } catch (InterruptedException e) {
            close();
            Thread.currentThread().interrupt();
        }
    }

    /** The next action that is due; empty once closed. */
    private Optional<Runnable> awaitDue() throws InterruptedException {
        while (true) {
            Deadline next = monitor.locked(() -> {
                ScheduledAction first = firstLeft();
                return first == null ? Deadline.NEVER : first.deadline;
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

    private @Nullable ScheduledAction firstLeft() {
        while (!entries.isEmpty() && entries.peek().action == null) {
            entries.remove();
            cancelled--;
        }
        return entries.peek();
    }

    /** An action if one is due; an empty inner value if the caller has to look anew (closed, or an earlier entry). */
    private Optional<Optional<Runnable>> takeDue(Deadline expected) {
        if (closed) {
            return Optional.of(Optional.empty());
        }
        ScheduledAction head = firstLeft();
        if (head != null && head.deadline.hasPassed(platform)) {
            entries.remove();
            Optional<Runnable> action = Optional.ofNullable(head.action);
            head.action = null;
            return Optional.of(action);
        }
        boolean sooner = head != null && head.deadline.compareTo(expected) < 0;
        return sooner ? Optional.of(Optional.empty()) : Optional.empty();
    }

    /** One thing to do later. Thread-safe. */
    public static final class ScheduledAction implements Comparable<ScheduledAction> {
        private final ActionSchedule actionSchedule;
        private final Deadline deadline;
        private final long order;
        /** Null once it has run or was cancelled: nothing that it refers to is held any longer. */
        private @Nullable Runnable action;

        private ScheduledAction(ActionSchedule actionSchedule, Deadline deadline, long order, Runnable action) {
            this.actionSchedule = actionSchedule;
            this.deadline = deadline;
            this.order = order;
            this.action = action;
        }

        /** When it is due. */
        public Deadline deadline() {
            return deadline;
        }

        /** Takes it out of the schedule; nothing happens if it has run already. */
        public void cancel() {
            actionSchedule.cancel(this);
        }

        @Override
        public int compareTo(ScheduledAction other) {
            int byTime = deadline.compareTo(other.deadline);
            return byTime != 0 ? byTime : Long.compare(order, other.order);
        }
    }
}
