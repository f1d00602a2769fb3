package dev.kopf4j.engine.daemon;

import dev.kopf4j.BindingException;
import dev.kopf4j.client.error.ClientException;
import dev.kopf4j.client.error.LeadershipLostException;
import dev.kopf4j.engine.call.HandlerAttempt;
import dev.kopf4j.engine.call.HandlerCalls;
import dev.kopf4j.engine.call.HandlerResult;
import dev.kopf4j.engine.call.HandlerRunner.Standstills.TimeLimit;
import dev.kopf4j.engine.call.InvocationCause;
import dev.kopf4j.engine.call.ResourceObject;
import dev.kopf4j.engine.call.RetryPolicy.CallEnd;
import dev.kopf4j.engine.call.RetryPolicy.Outcome;
import dev.kopf4j.engine.call.RetryPolicy.RetryDecision;
import dev.kopf4j.engine.daemon.OperatorDaemons.DaemonPatchWriter;
import dev.kopf4j.engine.daemon.RunningDaemon.StopSignal;
import dev.kopf4j.object.PatchContent;
import dev.kopf4j.persistence.progress.ProgressRecord;
import dev.kopf4j.runtime.ActionSchedule.ScheduledAction;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.Task;
import dev.kopf4j.runtime.Task.TaskEndError;
import java.nio.channels.ClosedByInterruptException;
import java.time.Duration;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * One attempt of a daemon or a timer: the call in a task of its own, which may be interrupted, and the writing of its
 * changes in another one, which is not.
 *
 * <p>What may change is guarded by the monitor of the object's daemons.
 */
final class DaemonAttempt implements Runnable {
    /**
     * The outcome of a call that was not made, or the changes of which are not written: the operator does not lead, and
     * is about to be paused.
     */
    private static final Outcome NOT_LEADING = new Outcome.Retry(Duration.ofSeconds(1), "this operator does not lead");

    /** How often changes may meet those of others once the daemon has to stop. */
    private static final int CONFLICTS_AT_STOP_MAX = 3;

    private final RunningDaemon running;
    private final DaemonEnvironment environment;
    private final Monitor monitor;
    private final StopSignal signal;
    private final Deadline due;
    private final int changesBefore;
    private final @Nullable ProgressRecord before;
    private final PatchContent patch = new PatchContent();
    private final DaemonSteps steps;
    private @Nullable Task task;
    private @Nullable ScheduledAction timeout;
    private @Nullable TimeLimit limit;
    private boolean calling = true;
    private boolean timedOut;
    private boolean asked;
    /** True if changes were dropped, as another replica may act by now. Confined to the task that writes. */
    private boolean notLeading;

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
            DaemonEnvironment environment,
            StopSignal signal,
            Deadline due,
            int changesBefore,
            @Nullable ProgressRecord before) {
        this.running = running;
        this.environment = environment;
        this.monitor = running.monitor();
        this.signal = signal;
        this.due = due;
        this.changesBefore = changesBefore;
        this.before = before;
        this.steps = new DaemonSteps(running, environment.steps(), signal, this::writeAll);
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
        task = environment.platform().spawn(running.name(), this);
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

    /** Where the code is at the moment, as lines of text. */
    String stack() {
        return Task.text(monitor.locked(() -> Optional.ofNullable(task))
                .map(Task::stack)
                .orElseGet(() -> new StackTraceElement[0]));
    }

    /** In a task of its own. */
    @Override
    public void run() {
        try {
            make();
        } catch (Throwable e) {
            TaskEndError.letThrough(e);
            broken(e);
        }
    }

    /** Something else than the user's code has failed, such as a storage of progress: another attempt has to follow. */
    private void broken(Throwable error) {
        Duration pause = monitor.locked(() -> {
            calling = false;
            task = null;
            endTimeLimit();
            return running.attemptBroken(this, error.getClass().getName());
        });
        Throwable told = Platform.tellable(error);
        running.logger()
                .error(
                        Platform.UNEXPECTED,
                        "An attempt of {} has failed due to an unexpected error; what it wants to change is dropped, and"
                                + " it is made again in {} seconds: {}",
                        running.handler(),
                        pause.toSeconds(),
                        told,
                        told);
    }

    /** Makes the call, if the limits allow it. */
    private void make() {
        HandlerCalls calls = environment.calls().with(steps::of);
        ResourceObject live = running.object().live();
        HandlerAttempt attempt = new HandlerAttempt(
                calls,
                running.handler(),
                live,
                new InvocationCause.Spawning(live::node, signal),
                before == null ? calls.freshRecord() : before,
                patch);
        RetryDecision refusal = attempt.refusal();
        if (refusal == null) {
            awaitCertainty(attempt);
            monitor.locked(() -> watchTime(attempt));
            attempt.begin();
            ended(attempt, attempt.callHere());
        } else {
            steps.ended(refusal.outcome(), patch);
            monitor.locked(() -> {
                calling = false;
            });
            writeThenConclude(attempt, refusal);
        }
    }

    private static void awaitCertainty(HandlerAttempt attempt) {
        try {
            attempt.awaitCertainty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void watchTime(HandlerAttempt attempt) {
        Deadline deadline = attempt.timeout();
        if (!deadline.isNever()) {
            TimeLimit until = environment.calls().runner().standstills().limit(deadline);
            limit = until;
            timeOutLater(attempt, until, until.quick());
        }
    }

    private void timeOutLater(HandlerAttempt attempt, TimeLimit until, Deadline look) {
        timeout = environment.actionSchedule().at(look, () -> monitor.locked(() -> timeOutUnlessLater(attempt, until)));
    }

    /** The process may have stood still meanwhile: the call has not had that time. */
    private void timeOutUnlessLater(HandlerAttempt attempt, TimeLimit until) {
        until.watch();
        if (environment.hasPassed(until.deadline())) {
            timeOut(attempt);
        } else if (calling) {
            timeOutLater(attempt, until, until.deadline());
        }
    }

    private void endTimeLimit() {
        if (timeout != null) {
            timeout.cancel();
        }
        endWatch();
    }

    /** Under the monitor: nothing watches any more whether the process stands still during the call. */
    void endWatch() {
        if (limit != null) {
            limit.close();
            limit = null;
        }
    }

    private void timeOut(HandlerAttempt attempt) {
        if (calling) {
            timedOut = true;
            interrupt();
            Duration grace = environment.interruptGrace();
            timeout = environment.actionSchedule().after(grace, () -> leaveBehind(attempt, grace));
        }
    }

    /** Not under the monitor. */
    private void leaveBehind(HandlerAttempt attempt, Duration grace) {
        boolean left = monitor.locked(() -> {
            boolean late = calling && !running.isAbandoned();
            if (late) {
                running.abandon();
            }
            return late;
        });
        if (left) {
            running.logger()
                    .warn(
                            "{} ignores that it was interrupted {} seconds ago, and is left behind. It is at:\n{}",
                            running.handler(),
                            grace.toSeconds(),
                            stack());
            CallEnd end = new CallEnd.TimedOut();
            attempt.ended(end);
            var _ = attempt.decide(end);
        }
    }

    /**
     * Runs in the task of the call, which nobody interrupts from here on. The changes of abandoned calls are dropped.
     */
    private void ended(HandlerAttempt attempt, CallEnd end) {
        // Threads of the daemon's own may outlive it, also where it was interrupted.
        patch.handOver();
        boolean abandoned = monitor.locked(() -> {
            calling = false;
            asked = signal.isSet();
            task = null;
            endTimeLimit();
            return running.isAbandoned();
        });
        CallEnd meant = meant(end);
        if (meant == null) {
            attempt.interrupted(end);
        } else {
            attempt.ended(meant);
        }
        if (end instanceof CallEnd.Threw(LeadershipLostException _)) {
            monitor.locked(() -> running.attemptEnded(this, NOT_LEADING, before));
            return;
        }
        RetryDecision decision = abandoned || meant == null ? null : decision(attempt, meant);
        if (abandoned) {
            conclude(attempt, decision);
        } else {
            writeThenConclude(attempt, decision);
        }
    }

    private void writeThenConclude(HandlerAttempt attempt, @Nullable RetryDecision decision) {
        if (patch.isEmpty()) {
            conclude(attempt, decision);
            return;
        }
        monitor.locked(() -> {
            task = environment
                    .platform()
                    .spawn(OperatorDaemons.CHANGES_OF + running.name(), () -> write(attempt, decision));
        });
    }

    /** The end that counts; null if the user's code was interrupted in order to stop, so that its end means nothing. */
    private @Nullable CallEnd meant(CallEnd end) {
        if (timedOut) {
            return new CallEnd.TimedOut();
        }
        return !signal.reasons().isEmpty() && wasInterrupted(end) ? null : end;
    }

    private RetryDecision decision(HandlerAttempt attempt, CallEnd end) {
        RetryDecision decision = attempt.decide(end);
        if (!timedOut) {
            HandlerResult.deliver(running.handler().id(), decision.outcome(), patch);
        }
        steps.ended(decision.outcome(), patch);
        return decision;
    }

    /** True if the user's code has ended because its thread was interrupted. */
    private static boolean wasInterrupted(CallEnd end) {
        return end instanceof CallEnd.Threw(Throwable exception)
                && causes(exception).stream()
                        .anyMatch(each ->
                                each instanceof InterruptedException || each instanceof ClosedByInterruptException);
    }

    /** The exception and what is behind it; causes may go round in circles. */
    private static Set<Throwable> causes(Throwable exception) {
        Set<Throwable> causes = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Throwable each = exception; each != null && causes.add(each); ) {
            each = each.getCause();
        }
        return causes;
    }

    private void write(HandlerAttempt attempt, @Nullable RetryDecision decision) {
        try {
            var _ = writeAll(patch);
        } finally {
            if (notLeading) {
                monitor.locked(() -> running.attemptEnded(this, NOT_LEADING, before));
            } else {
                conclude(attempt, decision);
            }
        }
    }

    private void conclude(HandlerAttempt attempt, @Nullable RetryDecision decision) {
        Outcome outcome = decision == null ? null : decision.outcome();
        ProgressRecord next =
                decision != null && decision.outcome() instanceof Outcome.Retry ? attempt.after(decision) : null;
        boolean misfit = decision != null && decision.failure() instanceof BindingException;
        monitor.locked(() -> {
            if (misfit) {
                running.misfit();
            }
            running.attemptEnded(this, outcome, next);
        });
    }

    /**
     * Writes changes in the current task, again and again until all of them are written; failures are logged. A failed
     * request is not repeated once the daemon has to stop, and what meets changes of others not for long.
     *
     * @return the object as the server has answered last; null if it has not
     */
    private @Nullable ObjectNode writeAll(PatchContent changes) {
        ObjectNode answered = null;
        try {
            PatchContent rest = changes;
            int conflictsAtStop = 0;
            for (int failures = 0; !rest.isEmpty(); failures++) {
                Duration pause = environment.retryDelay().apply(failures);
                DaemonPatchWriter.Written written = writeOnce(rest, pause);
                answered = written.answered() == null ? answered : written.answered();
                rest = written.remaining();
                if (!rest.isEmpty()) {
                    conflictsAtStop = mustStop() ? conflictsAtStop + 1 : 0;
                    if (conflictsAtStop > CONFLICTS_AT_STOP_MAX) {
                        running.logger()
                                .warn(
                                        "The changes that {} has made are not written, as it has to stop, and others"
                                                + " change the object again and again.",
                                        running.handler());
                        return answered;
                    }
                    environment.platform().sleep(pause);
                }
            }
        } catch (InterruptedException e) {
            running.logger()
                    .warn("The changes that {} has made are not written, as the operator stops.", running.handler());
            Thread.currentThread().interrupt();
        } catch (LeadershipLostException e) {
            notLeading = true;
            environment
                    .writeReport()
                    .failed(
                            running.logger(),
                            e,
                            "The changes that %s has made are not written: whoever acts from now on calls it again. %s"
                                    .formatted(running.handler(), e.getMessage()));
        } catch (RuntimeException e) {
            Throwable told = Platform.tellable(e);
            running.logger().error("The changes that {} has made are not written: {}", running.handler(), told, told);
        }
        return answered;
    }

    private DaemonPatchWriter.Written writeOnce(PatchContent changes, Duration pause) throws InterruptedException {
        LiveObject object = running.object();
        try {
            DaemonPatchWriter.Written written = environment.writer().write(object.snapshot(), changes);
            object.patched(written.answered());
            environment.writeReport().succeeded(running.logger());
            return written;
        } catch (ClientException e) {
            if (mustStop()) {
                throw e;
            }
            environment
                    .writeReport()
                    .failed(
                            running.logger(),
                            e,
                            "The changes that %s has made are not written, and are tried again in %s seconds: %s"
                                    .formatted(running.handler(), pause.toSeconds(), e.getMessage()));
            return new DaemonPatchWriter.Written(null, changes);
        }
    }

    private boolean mustStop() {
        return signal.isSet() && !monitor.locked(running::holdsDeletion);
    }
}
