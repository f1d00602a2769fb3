package dev.kopf4j.devcluster.conformance;

import dev.kopf4j.devcluster.api.TaskScheduler;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Tasks in real time. */
record ExecutorTasks(ScheduledExecutorService executor) implements TaskScheduler {
    @Override
    public void run(Runnable task) {
        executor.execute(task);
    }

    @Override
    public Timer later(Duration delay, Runnable task) {
        Future<?> future = executor.schedule(task, delay.toMillis(), TimeUnit.MILLISECONDS);
        return () -> future.cancel(false);
    }
}
