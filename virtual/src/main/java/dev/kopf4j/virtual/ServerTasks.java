package dev.kopf4j.virtual;

import dev.kopf4j.devcluster.api.TaskScheduler;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of a simulated dev cluster: its controllers, and the deadlines of its watches. Confined to the simulation.
 */
final class ServerTasks implements TaskScheduler {
    private final Platform platform;
    private final Monitor monitor;
    private final PriorityQueue<Entry> entries =
            new PriorityQueue<>(Comparator.comparingLong(Entry::nanos).thenComparingLong(Entry::number));
    private long count;

    ServerTasks(Platform platform) {
        this.platform = platform;
        this.monitor = platform.monitor();
    }

    private record Entry(long nanos, long number, Runnable task) {}

    /** Begins to run tasks, in a task of the platform. */
    void start() {
        platform.spawn("controllers", this::work);
    }

    @Override
    public void run(Runnable task) {
        var _ = add(platform.nanos(), task);
    }

    @Override
    public void runWaiting(Runnable task) {
        platform.spawn("deletion", task);
    }

    @Override
    public Timer later(Duration delay, Runnable task) {
        Entry entry = add(platform.after(delay).nanos(), task);
        return () -> entries.remove(entry);
    }

    private Entry add(long nanos, Runnable task) {
        Entry entry = new Entry(nanos, count++, task);
        entries.add(entry);
        return entry;
    }

    /** Runs what is due, in the calling thread. */
    void settle() {
        for (Entry due = takeDue(); due != null; due = takeDue()) {
            due.task().run();
        }
    }

    private @Nullable Entry takeDue() {
        return isDue() ? entries.remove() : null;
    }

    private boolean isDue() {
        Entry first = entries.peek();
        return first != null && first.nanos() <= platform.nanos();
    }

    private void work() {
        try {
            while (true) {
                Deadline next = next();
                var _ = monitor.awaitTrue(() -> isDue() || !next.equals(next()), next);
                settle();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Deadline next() {
        Entry first = entries.peek();
        return first == null ? Deadline.NEVER : new Deadline(first.nanos());
    }
}
