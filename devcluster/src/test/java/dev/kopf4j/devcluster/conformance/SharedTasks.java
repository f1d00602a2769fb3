package dev.kopf4j.devcluster.conformance;

import dev.kopf4j.devcluster.api.TaskScheduler;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Tasks that any thread gives, and a test runs; later ones never become due. Thread-safe. */
public final class SharedTasks implements TaskScheduler {
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

    @Override
    public void run(Runnable task) {
        tasks.add(task);
    }

    @Override
    public Timer later(Duration delay, Runnable task) {
        return () -> {};
    }

    /** Runs what has been given. */
    public void settle() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }
}
