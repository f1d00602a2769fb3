package dev.kopf4j.engine.daemon;

import dev.kopf4j.client.error.ClientException;
import dev.kopf4j.engine.handling.invocation.DaemonCall;
import dev.kopf4j.engine.handling.invocation.HandlerStackTrace;
import dev.kopf4j.engine.handling.progress.Outcome;
import dev.kopf4j.object.PatchContent;
import dev.kopf4j.persistence.progress.ProgressRecord;
import dev.kopf4j.runtime.ActionSchedule;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Task;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * One attempt of a daemon or a timer: the call in a task of its own, which may be interrupted, and the writing of its
 * changes in another one, which is not.
 *
 * <p>What may change is guarded by the monitor of the object's daemons.
 */
final class DaemonAttempt implements Runnable {
    private final RunningDaemon running;
    private final DaemonEnvironment daemonEnvironment;
    private final Monitor monitor;
    private final StopSignal signal;
    private final Deadline due;
    private final int changesBefore;
    private final @Nullable ProgressRecord before;
    private @Nullable Task task;
    private ActionSchedule.@Nullable ScheduledAction timeout;
    private boolean calling = true;
    private boolean timedOut;
    private boolean asked;

    /**
     * An attempt.
     *
     * @param signal tells the user's code that it should stop
     * @param due when it was due
     * @param changesBefore how often the object had changed by then
     * @param before how far the handler has come in the attempts before; null if this is the first one
     */
    DaemonAttempt(
            RunningDaemon running,
            StopSignal signal,
            Deadline due,
            int changesBefore,
            @Nullable ProgressRecord before) {
        this.running = running;
        this.daemonEnvironment = running.owner().daemonEnvironment();
        this.monitor = running.owner().monitor();
        this.signal = signal;
        this.due = due;
        this.changesBefore = changesBefore;
        this.before = before;
    }

    Deadline due() {
        return due;
    }

    int changesBefore() {
        return changesBefore;
    }

    /** True if it was asked to stop before the user's code has ended. */
    boolean wasAsked() {
        return asked;
    }

    /** Under the monitor. */
    void start() {
        task = daemonEnvironment.platform().spawn(running.name(), this);
    }

    /** Under the monitor: interrupts the user's code if it is still running. */
    void interruptCall() {
        if (calling) {
            interrupt();
        }
    }

    /** Under the monitor: interrupts whatever is being done. */
    void interrupt() {
        if (task != null) {
            task.interrupt();
        }
    }

    /** Where the code is at the moment. */
    StackTraceElement[] stack() {
        Task now = monitor.locked(() -> java.util.Optional.ofNullable(task)).orElse(null);
        return now == null ? new StackTraceElement[0] : now.stack();
    }

    /** In a task of its own: makes the call. */
    @Override
    public void run() {
        DaemonCall call = daemonEnvironment
                .calls()
                .call(running.handler(), running.owner().resourceObject(), signal, before);
        Outcome refusal = call.refusal();
        if (refusal == null) {
            monitor.locked(() -> watchTime(call));
            call.run();
            ended(call);
        } else {
            monitor.locked(() -> running.attemptEnded(this, refusal, null));
        }
    }

    private void watchTime(DaemonCall call) {
        Deadline deadline = call.timeout();
        if (!deadline.isNever()) {
            timeout = daemonEnvironment.actionSchedule().at(deadline, () -> monitor.locked(() -> timeOut(call)));
        }
    }

    private void timeOut(DaemonCall call) {
        if (calling) {
            timedOut = true;
            interrupt();
            Duration grace = daemonEnvironment.calls().interruptGrace();
            timeout = daemonEnvironment.actionSchedule().after(grace, () -> leaveBehind(call, grace));
        }
    }

    /** Not under the monitor. */
    private void leaveBehind(DaemonCall call, Duration grace) {
        boolean left = monitor.locked(() -> {
            boolean late = calling && !running.isAbandoned();
            if (late) {
                running.abandon();
            }
            return late;
        });
        if (left) {
            logger().warn(
                            "{} ignores that it was interrupted {} seconds ago, and is left behind. It is at:\n{}",
                            running.handler(),
                            grace.toSeconds(),
                            HandlerStackTrace.text(stack()));
            var _ = call.timedOut();
        }
    }

    /** In the task of the call: from here on nobody interrupts it. What abandoned calls want is not done any more. */
    private void ended(DaemonCall call) {
        boolean forgotten = monitor.locked(() -> {
            calling = false;
            asked = signal.isSet();
            task = null;
            if (timeout != null) {
                timeout.cancel();
            }
            return running.isAbandoned();
        });
        Outcome outcome = forgotten ? null : judged(call);
        if (forgotten || call.patch().isEmpty()) {
            settle(call, outcome);
            return;
        }
        monitor.locked(() -> {
            task = daemonEnvironment.platform().spawn("changes of " + running.name(), () -> write(call, outcome));
        });
    }

    private @Nullable Outcome judged(DaemonCall call) {
        if (timedOut) {
            return call.timedOut();
        }
        boolean forced = !signal.reasons().isEmpty() && call.wasInterrupted();
        return forced ? null : call.decide();
    }

    private void settle(DaemonCall call, @Nullable Outcome outcome) {
        ProgressRecord next = outcome instanceof Outcome.Retry ? call.after(outcome) : null;
        monitor.locked(() -> running.attemptEnded(this, outcome, next));
    }

    private void write(DaemonCall call, @Nullable Outcome outcome) {
        try {
            PatchContent rest = call.patch();
            for (int failures = 0; !rest.isEmpty(); failures++) {
                rest = writeOnce(rest, daemonEnvironment.retryDelay().apply(failures));
            }
        } catch (InterruptedException e) {
            logger().warn("The changes that {} has made are not written, as the operator stops.", running.handler());
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            logger().error("The changes that {} has made are not written: {}", running.handler(), e, e);
        } finally {
            settle(call, outcome);
        }
    }

    /** Returns what has to be written again. */
    private PatchContent writeOnce(PatchContent patch, Duration pause) throws InterruptedException {
        try {
            DaemonPatchWriter.Written written = daemonEnvironment
                    .writer()
                    .write(running.owner().resourceObject().with(running.owner().body()), patch);
            running.owner().patched(written.answered());
            if (!written.remaining().isEmpty()) {
                daemonEnvironment.platform().sleep(pause);
            }
            return written.remaining();
        } catch (ClientException e) {
            if (signal.isSet()) {
                throw e;
            }
            logger().error(
                            "The changes that {} has made are not written, and are tried again in {} seconds: {}",
                            running.handler(),
                            pause.toSeconds(),
                            e.getMessage());
            daemonEnvironment.platform().sleep(pause);
            return patch;
        }
    }

    private Logger logger() {
        return running.logger();
    }
}
