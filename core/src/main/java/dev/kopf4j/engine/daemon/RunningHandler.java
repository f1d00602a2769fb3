package dev.kopf4j.engine.daemon;

import dev.kopf4j.BackgroundOptions;
import dev.kopf4j.InitialDelay;
import dev.kopf4j.StopReason;
import dev.kopf4j.engine.handling.progress.Outcome;
import dev.kopf4j.engine.handling.registration.RegisteredHandler;
import dev.kopf4j.persistence.ProgressRecord;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Schedule;
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
final class RunningHandler implements Runnable {
    private enum Phase {
        WAITING,
        BUSY,
        ENDED
    }

    private final ObjectDaemons owner;
    private final RegisteredHandler handler;
    private Phase phase = Phase.WAITING;

    /** Null unless it waits for a moment. */
    private Schedule.@Nullable Entry nextCall;

    private @Nullable Attempt attempt;
    private @Nullable ProgressRecord record;
    private @Nullable Stopping stopping;
    private boolean abandoned;

    RunningHandler(ObjectDaemons owner, RegisteredHandler handler) {
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
            case null -> awaitCall(owner.services().platform().after(Duration.ZERO));
            case InitialDelay.Fixed(Duration delay) ->
                awaitCall(owner.services().platform().after(delay));
            case InitialDelay.Computed _ -> {
                phase = Phase.BUSY;
                var _ = owner.services().platform().spawn("initial delay of " + name(), this::computeDelay);
            }
        }
    }

    /** In a task of its own, not under the monitor: calls the user's code. */
    private void computeDelay() {
        try {
            Duration delay = owner.services().calls().initialDelay(handler, owner.subject());
            owner.monitor().locked(() -> {
                if (stopping == null) {
                    awaitCall(owner.services().platform().after(delay));
                } else {
                    end();
                }
            });
        } catch (Exception | LinkageError | StackOverflowError | AssertionError e) {
            logger().error("{} is not started, as its initial delay cannot be told: {}", handler, e, e);
            owner.monitor().locked(this::end);
        }
    }

    private void awaitCall(Deadline due) {
        phase = Phase.WAITING;
        nextCall = owner.services().schedule().at(due, this);
    }

    /** In the schedule's task, not under the monitor: calls it, unless it waits for another moment by now. */
    @Override
    public void run() {
        owner.monitor().locked(this::callIfDue);
    }

    private void callIfDue() {
        Deadline due = nextCall == null ? Deadline.NEVER : nextCall.deadline();
        if (due.hasPassed(owner.services().platform())) {
            Deadline unchanged = unchangedFor(due);
            if (unchanged.hasPassed(owner.services().platform())) {
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
        attempt = new Attempt(this, due, owner.changes(), record);
        attempt.start();
    }

    /** The object has changed. */
    void changed() {
        if (phase == Phase.WAITING && nextCall == null) {
            awaitCall(unchangedFor(owner.services().platform().after(Duration.ZERO)));
        }
    }

    /**
     * An attempt has come to its end, and its changes are written.
     *
     * @param outcome null if it was stopped by force, and there is nothing to be judged
     * @param next how far the handler has come; null to begin anew
     */
    void attempted(Attempt ended, @Nullable Outcome outcome, @Nullable ProgressRecord next) {
        attempt = null;
        record = next;
        owner.rest();
        Pace.Next then = outcome == null ? new Pace.Next.End() : next(ended, outcome);
        if (then instanceof Pace.Next.End && !ended.wasAsked()) {
            // By itself, even if it was asked to stop while its changes were written.
            owner.stoppedForever(handler);
        }
        if (stopping != null || abandoned) {
            end();
            return;
        }
        switch (then) {
            case Pace.Next.Call(Deadline at) -> awaitCall(at);
            case Pace.Next.AfterChange() -> phase = Phase.WAITING;
            case Pace.Next.End() -> end();
        }
    }

    private Pace.Next next(Attempt ended, Outcome outcome) {
        Deadline now = owner.services().platform().after(Duration.ZERO);
        boolean changed = owner.changes() != ended.changesBefore();
        return Pace.of(handler.definition()).after(outcome, ended.due(), now, changed);
    }

    /** Asks it to stop; if it only waits, it has ended when this returns. */
    void stop(StopReason reason) {
        if (phase == Phase.ENDED) {
            return;
        }
        Stopping known = stopping;
        if (known == null) {
            known = new Stopping(this);
            stopping = known;
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
        return stopping == null ? Set.of() : stopping.reasons();
    }

    /** Its stopping; null if nobody has asked for it. */
    @Nullable Stopping stopping() {
        return stopping;
    }

    /** When its stopping comes to the last stage. */
    Deadline stoppedBy() {
        return stopping == null ? owner.services().platform().after(Duration.ZERO) : stopping.end();
    }

    /** What it is doing; null while it waits. */
    @Nullable Attempt attempt() {
        return attempt;
    }

    /** It goes on, but nobody waits for it any more; it is not started again before it has ended. */
    void abandon() {
        abandoned = true;
        if (stopping == null) {
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

    private void end() {
        phase = Phase.ENDED;
        attempt = null;
        if (nextCall != null) {
            nextCall.cancel();
            nextCall = null;
        }
        logger().debug("{} has exited {} and will not be retried or restarted.", handler, how());
        owner.ended(this);
    }

    private String how() {
        return stopping == null ? "on its own" : "on request";
    }

    Logger logger() {
        return owner.subject().logger();
    }

    BackgroundOptions options() {
        return handler.definition().background();
    }

    /** For tasks: {@code watch@default/x}. */
    String name() {
        return handler.id() + "@" + owner.reference();
    }
}
