package dev.kopf4j.runtime;

import org.jspecify.annotations.Nullable;

/** An action of an {@link ActionSchedule} that runs later, once. Thread-safe. */
public final class ScheduledAction implements Comparable<ScheduledAction> {
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
