package dev.kopf4j.devcluster.conformance;

import dev.kopf4j.devcluster.api.TaskScheduler;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Queue;

/** A clock that moves when told to, and the tasks that wait for it. Confined to one thread. */
public final class VirtualTime implements TaskScheduler, InstantSource {
    private final Queue<Runnable> soon = new ArrayDeque<>();
    private final PriorityQueue<Waiting> later =
            new PriorityQueue<>(Comparator.comparing(Waiting::at).thenComparingLong(Waiting::number));
    private Instant now = Instant.parse("2026-01-02T03:04:05.678901Z");
    private long count;

    private record Waiting(Instant at, long number, Runnable task) {}

    @Override
    public Instant instant() {
        return now;
    }

    @Override
    public void run(Runnable task) {
        soon.add(task);
    }

    @Override
    public Timer later(Duration delay, Runnable task) {
        Waiting waiting = new Waiting(now.plus(delay), count++, task);
        later.add(waiting);
        return () -> later.remove(waiting);
    }

    /** Runs what is due now. */
    public void settle() {
        for (Runnable task = soon.poll(); task != null; task = soon.poll()) {
            task.run();
        }
    }

    /** Moves on, running what becomes due on the way. */
    public void advance(Duration duration) {
        Instant end = now.plus(duration);
        settle();
        while (!later.isEmpty() && !later.peek().at().isAfter(end)) {
            Waiting next = later.remove();
            now = next.at();
            next.task().run();
            settle();
        }
        now = end;
    }
}
