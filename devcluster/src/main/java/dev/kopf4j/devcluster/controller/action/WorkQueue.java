package dev.kopf4j.devcluster.controller.action;

import dev.kopf4j.devcluster.api.TaskScheduler;
import dev.kopf4j.devcluster.registry.write.ControllerDeletion;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The objects to look at: one that waits already is not added once more, and one that has to wait for a time waits for
 * the earliest of its times. See {@code util/workqueue} of client-go, v0.33. Thread-safe; the worker runs in tasks of
 * the server, beside the others where it may wait.
 */
public final class WorkQueue {
    private static final ScopedValue<WorkItem> CURRENT = ScopedValue.newInstance();
    private final TaskScheduler taskScheduler;
    private final InstantSource clock;
    private final Predicate<WorkItem> mayWait;
    private final Consumer<WorkItem> worker;
    private final Set<WorkItem> waiting = new HashSet<>();
    private final Map<WorkItem, Alarm> alarms = new HashMap<>();
    private final Set<WorkItem> busy = new HashSet<>();
    private final Set<WorkItem> changed = new HashSet<>();
    private final Set<WorkItem> refused = new HashSet<>();
    private final Map<WorkItem, Integer> refusals = new HashMap<>();

    /**
     * An empty queue.
     *
     * @param mayWait whether looking at an object may wait for a webhook
     * @param worker looks at an object; never at the same one twice at a time
     */
    public WorkQueue(
            TaskScheduler taskScheduler, InstantSource clock, Predicate<WorkItem> mayWait, Consumer<WorkItem> worker) {
        this.taskScheduler = taskScheduler;
        this.clock = clock;
        this.mayWait = mayWait;
        this.worker = worker;
    }

    /** The object that is looked at now; asked by the worker only. */
    static WorkItem current() {
        return CURRENT.get();
    }

    /** Has the present object looked at again: after a delay that doubles with each refusal. */
    void tryAgain() {
        synchronized (waiting) {
            refused.add(current());
        }
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
            if (!busy.add(item)) {
                changed.add(item);
                return;
            }
        }
        if (mayWait(item)) {
            taskScheduler.runWaiting(() -> work(item));
        } else {
            work(item);
        }
    }

    private boolean mayWait(WorkItem item) {
        try {
            return mayWait.test(item);
        } catch (RuntimeException | Error e) {
            done(item); // or it would be busy for ever
            throw e;
        }
    }

    private void work(WorkItem item) {
        try {
            ScopedValue.where(CURRENT, item).run(() -> worker.accept(item));
        } finally {
            done(item);
        }
    }

    private void done(WorkItem item) {
        synchronized (waiting) {
            busy.remove(item);
            if (changed.remove(item)) {
                add(item);
            }
            if (refused.remove(item)) {
                int count = refusals.merge(item, 1, Integer::sum);
                addAt(item, clock.instant().plus(ControllerDeletion.delay(count)));
            } else {
                refusals.remove(item);
            }
        }
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
