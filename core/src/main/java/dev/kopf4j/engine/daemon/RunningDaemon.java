package dev.kopf4j.engine.daemon;

import dev.kopf4j.HandlerKind;
import dev.kopf4j.StopReason;
import dev.kopf4j.engine.handling.declaration.BackgroundDeclaration;
import dev.kopf4j.engine.handling.declaration.InitialDelay;
import dev.kopf4j.engine.handling.progress.Outcome;
import dev.kopf4j.engine.handling.registry.RegisteredHandler;
import dev.kopf4j.persistence.progress.ProgressRecord;
import dev.kopf4j.runtime.ActionSchedule;
import dev.kopf4j.runtime.Deadline;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * One daemon or timer of one object, from its spawning to its end: it waits in the schedule or for a change of the
 * object, makes an attempt, and waits again.
 *
 * <p>Guarded by the monitor of the object's daemons: all methods are called under it, unless they say otherwise.
 */
final class RunningDaemon implements Runnable {
    private enum Phase {
        WAITING,
        BUSY,
        ENDED
    }

    private final ObjectDaemons owner;
    private final RegisteredHandler handler;
    private Phase phase = Phase.WAITING;

    /** Null unless it waits for a moment. */
    private ActionSchedule.@Nullable ScheduledAction nextCall;

    private @Nullable DaemonAttempt daemonAttempt;

    /**
     * What threads of the user's own may wait for: the same for all attempts of a daemon; null before the first one.
     */
    private @Nullable StopSignal signal;

    private @Nullable ProgressRecord record;
    private @Nullable DaemonStopping daemonStopping;
    private boolean abandoned;

    RunningDaemon(ObjectDaemons owner, RegisteredHandler handler) {
        this.owner = owner;
        this.handler = handler;
    }

    RegisteredHandler handler() {
        return handler;
    }

    ObjectDaemons owner() {
        return owner;
    }

    /** Begins, with the initial delay. */
    void start() {
        switch (options().initialDelay()) {
            case null -> awaitCall(owner.daemonEnvironment().platform().after(Duration.ZERO));
            case InitialDelay.Fixed(Duration delay) ->
                awaitCall(owner.daemonEnvironment().platform().after(delay));
            case InitialDelay.Computed _ -> {
                phase = Phase.BUSY;
                var _ = owner.daemonEnvironment().platform().spawn("initial delay of " + name(), this::computeDelay);
            }
        }
    }

    /** In a task of its own, not under the monitor: calls the user's code. */
    private void computeDelay() {
        try {
            Duration delay = owner.daemonEnvironment().calls().initialDelay(handler, owner.resourceObject());
            owner.monitor().locked(() -> {
                if (daemonStopping == null) {
                    awaitCall(owner.daemonEnvironment().platform().after(delay));
                } else {
                    end();
                }
            });
        } catch (Exception | LinkageError | StackOverflowError | AssertionError e) {
            owner.resourceObject()
                    .logger()
                    .error("{} is not started, as its initial delay cannot be told: {}", handler, e, e);
            owner.monitor().locked(this::end);
        }
    }

    private void awaitCall(Deadline due) {
        phase = Phase.WAITING;
        nextCall = owner.daemonEnvironment().actionSchedule().at(due, this);
    }

    /** In the schedule's task, not under the monitor: calls it, unless it waits for another moment by now. */
    @Override
    public void run() {
        owner.monitor().locked(this::callIfDue);
    }

    private void callIfDue() {
        Deadline due = nextCall == null ? Deadline.NEVER : nextCall.deadline();
        if (due.hasPassed(owner.daemonEnvironment().platform())) {
            Deadline unchanged = unchangedFor(due);
            if (unchanged.hasPassed(owner.daemonEnvironment().platform())) {
                call(due);
            } else {
                awaitCall(unchanged);
            }
        }
    }

    /** When the object has been unchanged for as long as the timer wants; the given moment if it does not mind. */
    private Deadline unchangedFor(Deadline otherwise) {
        Duration idle = options().idle();
        return idle == null ? otherwise : owner.unchangedFor(idle);
    }

    private void call(Deadline due) {
        phase = Phase.BUSY;
        nextCall = null;
        StopSignal known =
                signal == null ? new StopSignal(owner.daemonEnvironment().platform()) : signal;
        signal = known;
        daemonAttempt = new DaemonAttempt(this, known, due, owner.changes(), record);
        daemonAttempt.start();
    }

    /** The object has changed. */
    void changed() {
        if (phase == Phase.WAITING && nextCall == null) {
            awaitCall(unchangedFor(owner.daemonEnvironment().platform().after(Duration.ZERO)));
        }
    }

    /**
     * An attempt has come to its end, and its changes are written.
     *
     * @param outcome null if it was stopped by force, and there is nothing to be judged
     * @param next how far the handler has come; null to begin anew
     */
    void attemptEnded(DaemonAttempt ended, @Nullable Outcome outcome, @Nullable ProgressRecord next) {
        daemonAttempt = null;
        record = next;
        if (handler.declaration().kind() == HandlerKind.TIMER) {
            // Many timers wait for most of the time: each call has a sign of its own.
            signal(Set.of(StopReason.DONE));
            signal = null;
        }
        owner.rest();
        NextCallSchedule.NextCall then = outcome == null ? new NextCallSchedule.NextCall.End() : next(ended, outcome);
        if (then instanceof NextCallSchedule.NextCall.End && !ended.wasAsked()) {
            // By itself, even if it was asked to stop while its changes were written.
            owner.stoppedForever(handler);
        }
        if (daemonStopping != null || abandoned) {
            end();
            return;
        }
        switch (then) {
            case NextCallSchedule.NextCall.At(Deadline at) -> awaitCall(at);
            case NextCallSchedule.NextCall.AfterChange() -> phase = Phase.WAITING;
            case NextCallSchedule.NextCall.End() -> end();
        }
    }

    private NextCallSchedule.NextCall next(DaemonAttempt ended, Outcome outcome) {
        Deadline now = owner.daemonEnvironment().platform().after(Duration.ZERO);
        boolean changed = owner.changes() != ended.changesBefore();
        return NextCallSchedule.of(handler.declaration()).after(outcome, ended.due(), now, changed);
    }

    /** Asks it to stop; if it only waits, it has ended when this returns. */
    void stop(StopReason reason) {
        if (phase == Phase.ENDED) {
            return;
        }
        DaemonStopping known = daemonStopping;
        if (known == null) {
            known = new DaemonStopping(this);
            daemonStopping = known;
        }
        known.add(reason);
        if (phase == Phase.WAITING) {
            end();
        } else {
            known.begin();
        }
    }

    /** Why it is to stop; empty if it is not. */
    Set<StopReason> stopReasons() {
        return daemonStopping == null ? Set.of() : daemonStopping.reasons();
    }

    /** Its stopping; null if nobody has asked for it. */
    @Nullable DaemonStopping daemonStopping() {
        return daemonStopping;
    }

    /** When its stopping comes to the last stage. */
    Deadline stoppedBy() {
        return daemonStopping == null
                ? owner.daemonEnvironment().platform().after(Duration.ZERO)
                : daemonStopping.end();
    }

    /** What it is doing; null while it waits. */
    @Nullable DaemonAttempt daemonAttempt() {
        return daemonAttempt;
    }

    /** It goes on, but nobody waits for it any more; it is not started again before it has ended. */
    void abandon() {
        abandoned = true;
        if (daemonStopping == null) {
            owner.stoppedForever(handler);
        }
        owner.nudge();
    }

    /** True until it has ended or was abandoned. */
    boolean isRunning() {
        return phase != Phase.ENDED && !abandoned;
    }

    boolean isAbandoned() {
        return abandoned;
    }

    boolean hasEnded() {
        return phase == Phase.ENDED;
    }

    /** Tells the user's code why it should stop. */
    void signal(Set<StopReason> reasons) {
        if (signal != null) {
            signal.set(reasons);
        }
    }

    private void end() {
        phase = Phase.ENDED;
        daemonAttempt = null;
        signal(Set.of(StopReason.DONE));
        if (nextCall != null) {
            nextCall.cancel();
            nextCall = null;
        }
        logger().debug("{} has exited {} and will not be retried or restarted.", handler, how());
        owner.ended(this);
    }

    private String how() {
        return daemonStopping == null ? "on its own" : "on request";
    }

    /** For the framework's own words, which are not posted as events. */
    Logger logger() {
        return owner.resourceObject().localLogger();
    }

    BackgroundDeclaration options() {
        return handler.declaration().background();
    }

    /** For tasks: {@code watch@default/x}. */
    String name() {
        return handler.id() + "@" + owner.reference();
    }
}
