package dev.kopf4j.engine.call;

import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.Task;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One call of the user's code in a task of its own: an interrupt hits that code, and nothing else. Thread-safe. */
public final class CallTask {
    private final Platform platform;
    private final Monitor monitor;
    private final Task task;
    private @Nullable CallEnd end;

    /**
     * Starts a call.
     *
     * @param monitor guards the end of the call
     * @param name of the task
     * @param call makes the call
     */
    public CallTask(Platform platform, Monitor monitor, String name, Supplier<CallEnd> call) {
        this.platform = platform;
        this.monitor = monitor;
        this.task = platform.spawn(name, () -> {
            CallEnd reached = call.get();
            monitor.locked(() -> {
                end = reached;
            });
        });
    }

    /** The task of the call. */
    public Task task() {
        return task;
    }

    boolean hasEnded() {
        return monitor.locked(() -> end != null);
    }

    /** How the call has ended. */
    public CallEnd end() {
        return monitor.locked(() -> {
            if (end == null) {
                throw new IllegalStateException("the call has not ended");
            }
            return end;
        });
    }

    /** Waits until the call has ended; false if the deadline came first. */
    public boolean awaitEnd(Deadline deadline) throws InterruptedException {
        return monitor.awaitTrue(() -> end != null, deadline);
    }

    /** Waits until the call has ended, or the condition holds, or the deadline has come. */
    void awaitEndOr(BooleanSupplier condition, Deadline deadline) throws InterruptedException {
        monitor.awaitTrue(() -> end != null || condition.getAsBoolean(), deadline);
    }

    /** The time is over: interrupts the call, and waits for its end for no longer than the grace. */
    public CallEnd timeOut(Duration grace) throws InterruptedException {
        task.interrupt();
        return awaitEnd(platform.after(grace)) ? new CallEnd.TimedOut() : new CallEnd.Orphaned(task);
    }
}
