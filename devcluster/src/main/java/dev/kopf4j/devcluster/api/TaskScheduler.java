package dev.kopf4j.devcluster.api;

import java.time.Duration;

/**
 * Where the server's own work runs: controllers, deadlines of watches. Inside a simulation this is the simulation's
 * scheduler; otherwise one thread. Tasks never wait and are short.
 */
public interface TaskScheduler {
    /** Runs a task soon, after those given before it, and never within this call. */
    void run(Runnable task);

    /** Runs a task once after a delay, unless it is cancelled before. */
    Timer later(Duration delay, Runnable task);

    /** A task that waits for its time. */
    @FunctionalInterface
    interface Timer {
        /** Does nothing if the task has begun. */
        void cancel();
    }
}
