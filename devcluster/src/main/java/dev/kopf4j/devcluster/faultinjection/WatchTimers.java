package dev.kopf4j.devcluster.faultinjection;

import dev.kopf4j.devcluster.api.TaskScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Changes one watch after some time, and then signals its reader. Thread-safe. */
final class WatchTimers implements AutoCloseable {
    private final TaskScheduler taskScheduler;
    private final List<TaskScheduler.Timer> timers = new ArrayList<>();
    private volatile Runnable signal = () -> {};

    WatchTimers(TaskScheduler taskScheduler) {
        this.taskScheduler = taskScheduler;
    }

    void onSignal(Runnable newSignal) {
        signal = newSignal;
    }

    /** Makes a change after a time; if the time is zero, at once and without a signal. */
    void after(Duration time, Runnable change) {
        if (time.isZero()) {
            change.run();
            return;
        }
        synchronized (timers) {
            timers.add(taskScheduler.later(time, () -> {
                change.run();
                signal.run();
            }));
        }
    }

    @Override
    public void close() {
        synchronized (timers) {
            timers.forEach(TaskScheduler.Timer::cancel);
            timers.clear();
        }
    }
}
