package dev.kopf4j.runtime;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * At most so many at a time: permits that are taken before work and given back after it, in the order of asking.
 * Thread-safe.
 *
 * <p>A permit that is given back wakes up the one task that gets it: hundreds may be waiting.
 */
public final class ConcurrencyLimit {
    private final Platform platform;

    /** Guards the permits and the queue. */
    private final Monitor monitor;

    private final Deque<Waiter> waiting = new ArrayDeque<>();
    private int free;

    /** A limit of {@code permits} at a time. */
    public ConcurrencyLimit(Platform platform, int permits) {
        if (permits < 1) {
            throw new IllegalArgumentException("a limit must be at least 1: " + permits);
        }
        this.platform = platform;
        this.monitor = platform.monitor();
        this.free = permits;
    }

    /**
     * Takes a permit, waiting for one if there is none.
     *
     * @return false if the deadline came first
     * @throws InterruptedException if the task is interrupted before or meanwhile
     */
    public boolean acquire(Deadline deadline) throws InterruptedException {
        Waiter waiter = queueUp();
        return acquire(waiter, () -> waiter.await(deadline));
    }

    /**
     * The same for many that wait, with deadlines far away: an entry among those of others costs much less than a wait
     * with a time limit, for which the JVM wakes up a thread of its own twice.
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

    /** False if it is not in the queue any more, but has got its permit. */
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
            ActionSchedule.ScheduledAction end = deadlines.at(deadline, this::expire);
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
