package dev.kopf4j.engine.handling.invocation;

import dev.kopf4j.HandlerContext;
import dev.kopf4j.Stopped;
import dev.kopf4j.client.error.LeadershipLostException;
import dev.kopf4j.engine.handling.context.ContextFactory;
import dev.kopf4j.engine.handling.context.InvocationCause;
import dev.kopf4j.engine.handling.context.NoSubHandlers;
import dev.kopf4j.engine.handling.context.ResourceObject;
import dev.kopf4j.engine.handling.progress.Outcome;
import dev.kopf4j.engine.handling.progress.ProgressTransitions;
import dev.kopf4j.engine.handling.progress.ResultDelivery;
import dev.kopf4j.engine.handling.progress.RetryDecision;
import dev.kopf4j.engine.handling.progress.RetryPolicy;
import dev.kopf4j.engine.handling.registry.RegisteredHandler;
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
 * One attempt of a daemon or a timer. {@link #run} makes the call, in the current task; {@link #decide} says after it
 * what its end means. Used once.
 */
public final class DaemonCall {
    private final HandlerRunner runner;
    private final ContextFactory contexts;
    private final RegisteredHandler handler;
    private final ResourceObject resourceObject;
    private final Stopped stopped;
    private final ProgressRecord record;
    private final PatchContent patch = new PatchContent();
    private @Nullable CallEnd callEnd;

    DaemonCall(
            HandlerRunner runner,
            ContextFactory contexts,
            RegisteredHandler handler,
            ResourceObject resourceObject,
            Stopped stopped,
            ProgressRecord record) {
        this.runner = runner;
        this.contexts = contexts;
        this.handler = handler;
        this.resourceObject = resourceObject;
        this.stopped = stopped;
        this.record = record;
    }

    /** When the time for all attempts is over. */
    public Deadline timeout() {
        return runner.timeout(retryPolicy());
    }

    /** The outcome without a call, if the limits forbid it; null if they do not. Logs it. */
    public @Nullable Outcome refusal() {
        RetryDecision refusal = retryPolicy().checkLimits();
        return refusal == null ? null : logged(refusal);
    }

    /** Calls the user's code, in the current task. */
    public void run() {
        resourceObject.logger().debug("{} is invoked.", handler);
        HandlerContext context = contexts.forCall(
                handler,
                resourceObject,
                new InvocationCause.Spawning(resourceObject::node, stopped),
                record,
                patch,
                NoSubHandlers.INSTANCE);
        callEnd = runner.invokeHere(handler, context);
    }

    /** True if the call was not made because this operator may not lead any more. */
    public boolean wasForbidden() {
        return callEnd instanceof CallEnd.Threw(LeadershipLostException _);
    }

    /** True if the user's code has ended because its thread was interrupted. */
    public boolean wasInterrupted() {
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
    public Outcome decide() {
        CallEnd end = Objects.requireNonNull(callEnd, "the call has not ended");
        RetryDecision decision = end.decide(retryPolicy());
        patch.handOver();
        ResultDelivery.deliver(handler.id(), decision.outcome(), patch);
        return logged(decision);
    }

    /** The outcome if the time for all attempts is over. Logs it. */
    public Outcome timedOut() {
        return logged(retryPolicy().timedOut());
    }

    /** What the call wants to change; complete after {@link #decide}. */
    public PatchContent patch() {
        return patch;
    }

    /** How far the handler has come with that outcome. */
    public ProgressRecord after(Outcome outcome) {
        return ProgressTransitions.after(record, outcome, runner.platform().now());
    }

    private Outcome logged(RetryDecision decision) {
        decision.log(resourceObject.logger());
        return decision.outcome();
    }

    private RetryPolicy retryPolicy() {
        return runner.retryPolicy(handler, record);
    }
}
