package dev.kopf4j.engine.daemon;

import dev.kopf4j.Stopped;
import dev.kopf4j.client.error.LeadershipLostException;
import dev.kopf4j.engine.call.CallEnd;
import dev.kopf4j.engine.call.HandlerAttempt;
import dev.kopf4j.engine.call.HandlerCalls;
import dev.kopf4j.engine.call.HandlerResult;
import dev.kopf4j.engine.call.InvocationCause;
import dev.kopf4j.engine.call.Outcome;
import dev.kopf4j.engine.call.ProgressTransitions;
import dev.kopf4j.engine.call.ResourceObject;
import dev.kopf4j.engine.call.RetryPolicy.RetryDecision;
import dev.kopf4j.engine.declaration.RegisteredHandler;
import dev.kopf4j.object.PatchContent;
import dev.kopf4j.persistence.progress.ProgressRecord;
import dev.kopf4j.runtime.Deadline;
import java.nio.channels.ClosedByInterruptException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The call of one attempt of a daemon or a timer. {@link #run} makes it, in the current task; {@link #decide} says
 * after it what its end means. Used once.
 */
final class DaemonCall {
    private final HandlerCalls calls;
    private final ResourceObject object;
    private final ProgressRecord record;
    private final HandlerAttempt attempt;
    private final RegisteredHandler handler;
    private final PatchContent patch = new PatchContent();
    private @Nullable CallEnd callEnd;

    /**
     * A call.
     *
     * @param object with a live body
     * @param before how far the handler has come in the attempts before; null if this is the first one
     */
    DaemonCall(
            HandlerCalls calls,
            RegisteredHandler handler,
            ResourceObject object,
            Stopped stopped,
            @Nullable ProgressRecord before) {
        this.calls = calls;
        this.handler = handler;
        this.object = object;
        this.record = before == null ? calls.freshRecord() : before;
        this.attempt = new HandlerAttempt(
                calls, handler, object, new InvocationCause.Spawning(object::node, stopped), record, patch);
    }

    /** When the time for all attempts is over. */
    Deadline timeout() {
        return attempt.timeout();
    }

    /** The outcome without a call, if the limits forbid it; null if they do not. Logs it. */
    @Nullable Outcome refusal() {
        RetryDecision refusal = attempt.refusal();
        return refusal == null ? null : logged(refusal);
    }

    /** Calls the user's code, in the current task. */
    void run() {
        attempt.begin();
        callEnd = attempt.callHere();
    }

    /** True if the call was not made because this operator may not lead any more. */
    boolean wasForbidden() {
        return callEnd instanceof CallEnd.Threw(LeadershipLostException _);
    }

    /** True if the user's code has ended because its thread was interrupted. */
    boolean wasInterrupted() {
        return callEnd instanceof CallEnd.Threw(Throwable exception)
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

    /** What the end of the call means. Logs it, and puts the result into the patch. */
    Outcome decide() {
        RetryDecision decision = attempt.decide(Objects.requireNonNull(callEnd, "the call has not ended"));
        patch.handOver();
        HandlerResult.deliver(handler.id(), decision.outcome(), patch);
        return logged(decision);
    }

    /** The outcome if the time for all attempts is over. Logs it. */
    Outcome timedOut() {
        return logged(attempt.timedOut());
    }

    /** What the call wants to change; complete after {@link #decide}. */
    PatchContent patch() {
        return patch;
    }

    /** How far the handler has come with that outcome. */
    ProgressRecord after(Outcome outcome) {
        return ProgressTransitions.after(record, outcome, calls.platform().now());
    }

    private Outcome logged(RetryDecision decision) {
        decision.log(object.logger());
        return decision.outcome();
    }
}
