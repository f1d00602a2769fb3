package dev.kopf4j.devcluster;

import dev.kopf4j.devcluster.api.TaskScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Delayed;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs tasks on one daemon thread, and those that may wait on some others. {@link #close} stops all of them. */
final class SystemTaskScheduler implements TaskScheduler, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SystemTaskScheduler.class);
    private static final int WAITING_THREADS = 8;
    private final ScheduledThreadPoolExecutor executor;
    private final ExecutorService waiting;

    /** What is to run when none of the tasks is under way that may wait. Guarded by itself, as their number is. */
    private final List<Runnable> afterWaiting = new ArrayList<>();

    private int underWay;

    SystemTaskScheduler() {
        executor = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().name("devcluster-tasks").daemon().factory());
        waiting = Executors.newFixedThreadPool(
                WAITING_THREADS,
                Thread.ofPlatform().name("devcluster-waiting").daemon().factory());
        executor.setRemoveOnCancelPolicy(true);
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    @Override
    public void run(Runnable task) {
        execute(executor, task);
    }

    @Override
    public void runWaiting(Runnable task) {
        synchronized (afterWaiting) {
            underWay++;
        }
        execute(waiting, () -> {
            try {
                task.run();
            } finally {
                ended();
            }
        });
    }

    private void ended() {
        synchronized (afterWaiting) {
            underWay--;
            if (underWay == 0) {
                afterWaiting.forEach(this::run);
                afterWaiting.clear();
            }
        }
    }

    /** Runs a task as soon as none of those is under way that may wait. */
    void runAfterWaiting(Runnable task) {
        synchronized (afterWaiting) {
            if (underWay > 0) {
                afterWaiting.add(task);
                return;
            }
        }
        run(task);
    }

    private static void execute(Executor threads, Runnable task) {
        try {
            threads.execute(guarded(task));
        } catch (RejectedExecutionException e) {
            LOG.atDebug().log("a task was given after the scheduler had been closed");
        }
    }

    @Override
    public Timer later(Duration delay, Runnable task) {
        try {
            ScheduledFuture<?> future = executor.schedule(guarded(task), delay.toMillis(), TimeUnit.MILLISECONDS);
            return () -> future.cancel(false);
        } catch (RejectedExecutionException e) {
            LOG.atDebug().log("a timer was set after the scheduler had been closed");
            return () -> {};
        }
    }

    /** Waits until all tasks that were given before this have run. */
    void settle() {
        CountDownLatch done = new CountDownLatch(1);
        run(done::countDown);
        await(done);
    }

    /** Waits for what a task tells, and not beyond the end of the tasks. */
    void await(CountDownLatch done) {
        try {
            while (!executor.isShutdown() && !done.await(100, TimeUnit.MILLISECONDS)) {
                LOG.atTrace().log("still busy");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the cluster was busy", e);
        }
    }

    /** Whether no task is left but those of later times; asked by a task, which does not count. */
    boolean isIdle() {
        synchronized (afterWaiting) {
            if (underWay > 0) {
                return false;
            }
        }
        return executor.getQueue().stream()
                .noneMatch(task -> task instanceof Delayed delayed && delayed.getDelay(TimeUnit.NANOSECONDS) <= 0);
    }

    private static Runnable guarded(Runnable task) {
        return () -> {
            try {
                task.run();
            } catch (RuntimeException e) {
                LOG.atError().setCause(e).log("a controller of the dev cluster failed; the others continue");
            } catch (Error e) {
                // The executor would keep it for whoever asks, which nobody does.
                LOG.atError().setCause(e).log("a controller of the dev cluster failed with an error of the JVM");
                throw e;
            }
        };
    }

    @Override
    public void close() {
        executor.shutdownNow();
        waiting.shutdownNow();
    }
}
