package dev.kopf4j.e2e.children;

import dev.kopf4j.devcluster.api.TaskScheduler;
import dev.kopf4j.runtime.ActionSchedule;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.ScheduledAction;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/** Runs the work of a cluster in simulated time. */
final class SimulatedScheduler implements TaskScheduler {
    private final Monitor monitor;
    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private final ActionSchedule schedule;

    SimulatedScheduler(Platform platform) {
        this.monitor = platform.monitor();
        this.schedule = new ActionSchedule(platform, "timers of the cluster");
        platform.spawn("cluster", this::work);
    }

    private void work() {
        try {
            while (true) {
                monitor.await(() -> Optional.ofNullable(tasks.poll()), Deadline.NEVER)
                        .orElseThrow()
                        .run();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void run(Runnable task) {
        monitor.locked(() -> {
            tasks.add(task);
        });
    }

    @Override
    public Timer later(Duration delay, Runnable task) {
        ScheduledAction entry = schedule.after(delay, () -> run(task));
        return entry::cancel;
    }
}
