package dev.kopf4j.devcluster.controller.action;

import dev.kopf4j.devcluster.api.TaskScheduler;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The objects to look at: one that waits already is not added once more, and one that has to wait for a time waits for
 * the earliest of its times. See {@code util/workqueue} of client-go, v0.33. Thread-safe; the worker runs in tasks of
 * the server.
 */
public final class WorkQueue {
    private final TaskScheduler taskScheduler;
    private final InstantSource clock;
    private final Consumer<WorkItem> worker;
    private final Set<WorkItem> waiting = new HashSet<>();
    private final Map<WorkItem, Alarm> alarms = new HashMap<>();
    private @Nullable WorkItem current;

    /** An empty queue for a worker. */
    public WorkQueue(TaskScheduler taskScheduler, InstantSource clock, Consumer<WorkItem> worker) {
        this.taskScheduler = taskScheduler;
        this.clock = clock;
        this.worker = worker;
    }

    /** The object that is looked at now; asked by the worker only. */
    WorkItem current() {
        return Objects.requireNonNull(current, "nothing is looked at");
    }

    private record Alarm(Instant time, TaskScheduler.Timer timer) {}

    /** Has an object looked at soon. */
    public void add(WorkItem item) {
        synchronized (waiting) {
            if (!waiting.add(item)) {
                return;
            }
        }
        taskScheduler.run(() -> take(item));
    }

    private void take(WorkItem item) {
        synchronized (waiting) {
            waiting.remove(item);
        }
        current = item;
        worker.accept(item);
    }

    /** Has an object looked at when a time has come; soon if that is past. */
    public void addAt(WorkItem item, Instant time) {
        Duration delay = Duration.between(clock.instant(), time);
        if (!delay.isPositive()) {
            add(item);
            return;
        }
        synchronized (waiting) {
            Alarm present = alarms.get(item);
            if (present != null && !present.time().isAfter(time)) {
                return;
            }
            if (present != null) {
                present.timer().cancel();
            }
            // Timers of the machine know milliseconds: never ring too early.
            alarms.put(item, new Alarm(time, taskScheduler.later(delay.plusMillis(1), () -> ring(item, time))));
        }
    }

    private void ring(WorkItem item, Instant time) {
        synchronized (waiting) {
            Alarm present = alarms.get(item);
            if (present == null || !present.time().equals(time)) {
                return;
            }
            alarms.remove(item);
        }
        add(item);
    }
}
