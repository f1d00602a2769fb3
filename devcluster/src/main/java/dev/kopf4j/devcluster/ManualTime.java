package dev.kopf4j.devcluster;

import dev.kopf4j.devcluster.api.TaskScheduler;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * A clock that stands still until somebody moves it, and the tasks that wait for its times; they run on the thread of
 * the cluster's other tasks. Thread-safe.
 */
final class ManualTime implements TaskScheduler, InstantSource {
    private final SystemTaskScheduler tasks;
    private final PriorityQueue<Waiting> waiting =
            new PriorityQueue<>(Comparator.comparing(Waiting::at).thenComparingLong(Waiting::number));
    private volatile Instant now;
    private long count;

    private record Waiting(Instant at, long number, Runnable task) {}

    ManualTime(SystemTaskScheduler tasks, Instant start) {
        this.tasks = tasks;
        this.now = start;
    }

    @Override
    public Instant instant() {
        return now;
    }

    @Override
    public void run(Runnable task) {
        tasks.run(task);
    }

    @Override
    public void runWaiting(Runnable task) {
        tasks.runWaiting(task);
    }

    @Override
    public Timer later(Duration delay, Runnable task) {
        synchronized (waiting) {
            Waiting entry = new Waiting(now.plus(delay), count++, task);
            waiting.add(entry);
            return () -> cancel(entry);
        }
    }

    private void cancel(Waiting entry) {
        synchronized (waiting) {
            waiting.remove(entry);
        }
    }

    /** Moves the clock on, from one time at which something is due to the next, and returns when all of it is done. */
    void advance(Duration duration) {
        if (duration.isNegative()) {
            throw new IllegalArgumentException("the clock cannot go back: " + duration);
        }
        CountDownLatch done = new CountDownLatch(1);
        tasks.run(() -> step(now.plus(duration), done));
        tasks.await(done);
    }

    /**
     * On the thread of the tasks: lets what is due now come first, also what waits for a webhook, and then takes the
     * next of those that wait for their time.
     */
    private void step(Instant end, CountDownLatch done) {
        if (tasks.isIdle()) {
            Waiting next = next(end);
            if (next == null) {
                now = end;
                done.countDown();
                return;
            }
            now = next.at();
            tasks.run(next.task());
        }
        tasks.runAfterWaiting(() -> step(end, done));
    }

    private @Nullable Waiting next(Instant end) {
        synchronized (waiting) {
            Waiting first = waiting.peek();
            return first == null || first.at().isAfter(end) ? null : waiting.poll();
        }
    }
}
