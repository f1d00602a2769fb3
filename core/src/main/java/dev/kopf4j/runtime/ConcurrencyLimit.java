package dev.kopf4j.runtime;

import dev.kopf4j.runtime.ActionSchedule.ScheduledAction;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * Limits how much runs at a time: permits are taken before work and given back after it. Waiting tasks get them in the
 * order in which they asked. Thread-safe.
 *
 * <p>A permit that is given back wakes only the one task that gets it, because hundreds may wait.
 */
public final class ConcurrencyLimit {
    private final Platform platform;

    /** Guards the permits and the queue. */
    private final Monitor monitor;

    private final Deque<Waiter> waiting = new ArrayDeque<>();
    private int free;

    /** Makes a limit with this number of permits. */
    public ConcurrencyLimit(Platform platform, int permits) {
        if (permits < 1) {
            throw new IllegalArgumentException("a limit must be at least 1: " + permits);
        }
        this.platform = platform;
        this.monitor = platform.monitor();
        this.free = permits;
    }

    /**
     * Takes a permit; waits for one if all are taken.
     *
     * @return false if the deadline came first
     * @throws InterruptedException if the task is interrupted before or while it waits
     */
    public boolean acquire(Deadline deadline) throws InterruptedException {
        Waiter waiter = queueUp();
        return acquire(waiter, () -> waiter.await(deadline));
    }

    /**
     * Takes a permit like {@link #acquire(Deadline)}, for many waiting tasks with distant deadlines. The deadline is an
     * entry in the given schedule, which is much cheaper than a timed wait: the JVM wakes a thread of its own twice for
     * each of those.
     */
    public boolean acquire(Deadline deadline, ActionSchedule deadlines) throws InterruptedException {
        Waiter waiter = queueUp();
        return acquire(waiter, () -> waiter.await(deadline, deadlines));
    }

    private interface Wait {
        boolean isGranted() throws InterruptedException;
    }

    private boolean acquire(Waiter waiter, Wait wait) throws InterruptedException {
        try {
            return wait.isGranted() || !leaveQueue(waiter);
        } catch (InterruptedException e) {
            if (!leaveQueue(waiter)) {
                release();
            }
            throw e;
        }
    }

    private Waiter queueUp() {
        return monitor.locked(() -> {
            Waiter waiter = new Waiter(platform.monitor(), free > 0);
            if (free > 0) {
                free--;
            } else {
                waiting.add(waiter);
            }
            return waiter;
        });
    }

    /** Removes the waiter from the queue. False if it has already received its permit. */
    private boolean leaveQueue(Waiter waiter) {
        return monitor.locked(() -> waiting.remove(waiter));
    }

    /** Gives a permit back. */
    public void release() {
        Optional<Waiter> next = monitor.locked(() -> {
            Optional<Waiter> first = Optional.ofNullable(waiting.poll());
            if (first.isEmpty()) {
                free++;
            }
            return first;
        });
        next.ifPresent(Waiter::grant);
    }

    /** A task that asks for a permit. */
    private static final class Waiter {
        private final Monitor monitor;
        private boolean granted;
        private boolean expired;

        Waiter(Monitor monitor, boolean granted) {
            this.monitor = monitor;
            this.granted = granted;
        }

        boolean await(Deadline deadline) throws InterruptedException {
            return monitor.awaitTrue(() -> granted, deadline);
        }

        boolean await(Deadline deadline, ActionSchedule deadlines) throws InterruptedException {
            if (isGranted()) {
                return true;
            }
            ScheduledAction end = deadlines.at(deadline, this::expire);
            try {
                monitor.awaitTrue(() -> granted || expired, Deadline.NEVER);
            } finally {
                end.cancel();
            }
            return isGranted();
        }

        private boolean isGranted() {
            return monitor.locked(() -> granted);
        }

        private void expire() {
            monitor.locked(() -> {
                expired = true;
            });
        }

        void grant() {
            monitor.locked(() -> {
                granted = true;
            });
        }
    }
}
