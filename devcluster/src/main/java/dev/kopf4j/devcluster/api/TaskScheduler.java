package dev.kopf4j.devcluster.api;

import java.time.Duration;

/**
 * Runs the server's own work: controllers, deadlines of watches. A simulation has its own scheduler; otherwise one
 * thread runs all tasks. Tasks are short and never wait, but for those that say so.
 */
public interface TaskScheduler {
    /** Runs a task soon, after all tasks that were given earlier, and never within this call. */
    void run(Runnable task);

    /** Runs a task that may wait for a webhook: beside the others where that is possible. */
    default void runWaiting(Runnable task) {
        run(task);
    }

    /** Runs a task once after a delay, unless it is cancelled earlier. */
    Timer later(Duration delay, Runnable task);

    /** A task that waits for its time. */
    @FunctionalInterface
    interface Timer {
        /** Does nothing if the task has begun. */
        void cancel();
    }
}
