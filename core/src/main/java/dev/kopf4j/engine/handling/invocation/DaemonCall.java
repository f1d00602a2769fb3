package dev.kopf4j.engine.handling.invocation;

import dev.kopf4j.HandlerContext;
import dev.kopf4j.Stopped;
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
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One attempt of a daemon or a timer: made by {@link #run} in a task of its own, judged after that by whoever made it.
 * Used once.
 */
public final class DaemonCall {
    private final HandlerRunner runner;
    private final ContextFactory contexts;
    private final RegisteredHandler handler;
    private final ResourceObject resourceObject;
    private final Stopped stopped;
    private final ProgressRecord record;
    private final PatchContent patch = new PatchContent();
    private HandlerRunner.@Nullable CallEnd callEnd;

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
        Duration timeout = handler.definition().timeout();
        return timeout == null ? Deadline.NEVER : runner.platform().after(timeout.minus(runtime()));
    }

    /** What is to be done instead of the call if the limits forbid it; null if they do not. */
    public @Nullable Outcome refusal() {
        RetryDecision refusal = retryPolicy().checkLimits();
        return refusal == null ? null : told(refusal);
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
        callEnd = HandlerRunner.invoke(handler, context);
    }

    /** True if the user's code has ended because its thread was interrupted. */
    public boolean wasInterrupted() {
        return callEnd instanceof HandlerRunner.CallEnd.Threw(Throwable exception) && isInterruption(exception);
    }

    private static boolean isInterruption(@Nullable Throwable exception) {
        return exception != null
                && (exception instanceof InterruptedException
                        || exception instanceof ClosedByInterruptException
                        || isInterruption(exception.getCause()));
    }

    /** What the end of the call means; says so in the log, and puts the result into the patch. */
    public Outcome judge() {
        RetryDecision retryDecision =
                RetryDecisions.of(Objects.requireNonNull(callEnd, "the call has not ended"), retryPolicy());
        ResultDelivery.deliver(handler.id(), retryDecision.outcome(), patch);
        return told(retryDecision);
    }

    /** The time for all attempts is over; says so in the log. */
    public Outcome timedOut() {
        return told(retryPolicy().timedOut());
    }

    /** What the call wants to be changed; complete once it has ended and was judged. */
    public PatchContent patch() {
        return patch;
    }

    /** How far the handler has come with that outcome. */
    public ProgressRecord after(Outcome outcome) {
        return ProgressTransitions.after(record, outcome, runner.platform().now());
    }

    private Outcome told(RetryDecision retryDecision) {
        retryDecision.log(resourceObject.logger());
        return retryDecision.outcome();
    }

    private RetryPolicy retryPolicy() {
        return new RetryPolicy(
                handler, record.retries(), runtime(), runner.settings().defaultBackoff());
    }

    private Duration runtime() {
        Instant started = record.started();
        return started == null
                ? Duration.ZERO
                : Duration.between(started, runner.platform().now());
    }
}
