package dev.kopf4j.engine.handling.invocation;

import dev.kopf4j.HandlerContext;
import dev.kopf4j.engine.cause.RawEvent;
import dev.kopf4j.engine.handling.context.ContextFactory;
import dev.kopf4j.engine.handling.context.InvocationCause;
import dev.kopf4j.engine.handling.context.NoSubHandlers;
import dev.kopf4j.engine.handling.context.ResourceObject;
import dev.kopf4j.engine.handling.progress.Outcome;
import dev.kopf4j.engine.handling.progress.ProgressTransitions;
import dev.kopf4j.engine.handling.progress.RetryDecision;
import dev.kopf4j.engine.handling.progress.RetryPolicy;
import dev.kopf4j.engine.handling.registry.RegisteredHandler;
import dev.kopf4j.engine.handling.selection.HandlerSelection;
import dev.kopf4j.object.PatchContent;
import dev.kopf4j.persistence.progress.ProgressRecord;
import dev.kopf4j.runtime.Platform;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/** Calls index functions. Nothing is written to the object: the caller remembers failures in memory. Thread-safe. */
public final class IndexFunctionCalls {
    private static final IndexOutcome KEPT = new IndexOutcome.Kept();

    private final HandlerRunner runner;
    private final ContextFactory contexts;

    /** Calls through the given runner. */
    public IndexFunctionCalls(HandlerRunner runner, ContextFactory contexts) {
        this.runner = runner;
        this.contexts = contexts;
    }

    /** The same functions, called on behalf of handlers, which wait for them: they take no permits from each other. */
    public IndexFunctionCalls withinCalls() {
        return new IndexFunctionCalls(runner.withoutLimit(), contexts);
    }

    /** The time and the tasks of the calls. */
    public Platform platform() {
        return runner.platform();
    }

    /**
     * Calls the first of the functions whose filters let the object pass.
     *
     * @param functions those of one index, in the order of their registration; at least one
     * @param failures the attempts that have failed so far; null if there are none
     * @throws InterruptedException if the operator stops
     */
    public IndexOutcome call(
            List<RegisteredHandler> functions,
            ResourceObject resourceObject,
            RawEvent event,
            @Nullable ProgressRecord failures)
            throws InterruptedException {
        Instant now = runner.platform().now();
        if (failures != null && isSleeping(failures, now)) {
            return new IndexOutcome.Removed(failures);
        }
        ProgressRecord record = failures == null ? ProgressTransitions.fresh(now, null) : failures;
        InvocationCause.Watching occasion = new InvocationCause.Watching(event);
        List<RegisteredHandler> matching;
        try {
            matching = HandlerSelection.forEvent(functions, resourceObject, occasion, contexts);
        } catch (RuntimeException | StackOverflowError | AssertionError | LinkageError e) {
            // Neither the other indices nor the other handlers have to wait for a filter that fails.
            return outcome(new CallEnd.Threw(e), functions.getFirst(), record, resourceObject);
        }
        return matching.isEmpty()
                ? new IndexOutcome.Removed(failures)
                : call(matching.getFirst(), resourceObject, occasion, record);
    }

    private static boolean isSleeping(ProgressRecord failures, Instant now) {
        Instant delayed = failures.delayed();
        return ProgressTransitions.isFinished(failures) || (delayed != null && delayed.isAfter(now));
    }

    private IndexOutcome call(
            RegisteredHandler function,
            ResourceObject resourceObject,
            InvocationCause.Watching occasion,
            ProgressRecord record)
            throws InterruptedException {
        RetryPolicy policy = runner.retryPolicy(function, record);
        RetryDecision refusal = policy.checkLimits();
        if (refusal != null) {
            return outcome(refusal, null, record, resourceObject);
        }
        HandlerContext context = contexts.forCall(
                function, resourceObject, occasion, record, new PatchContent(), NoSubHandlers.INSTANCE);
        CallEnd end = runner.run(
                function, context, runner.timeout(policy), runner.platform().monitor(), NoWorkDuringCall.INSTANCE);
        return outcome(end, function, record, resourceObject);
    }

    private IndexOutcome outcome(
            CallEnd end, RegisteredHandler function, ProgressRecord record, ResourceObject resourceObject) {
        RetryPolicy policy = runner.retryPolicy(function, record);
        if (!(end instanceof CallEnd.Returned(var value))) {
            return outcome(end.decide(policy), null, record, resourceObject);
        }
        try {
            IndexResult result = IndexResult.of(value);
            RetryDecision success =
                    new RetryDecision(new Outcome.Succeeded(null), Level.INFO, function + " succeeded.", null, null);
            return outcome(success, result, record, resourceObject);
        } catch (RuntimeException | StackOverflowError e) {
            // A map's iteration and a key's hash are user code, which may throw anything.
            return outcome(policy.threw(e), null, record, resourceObject);
        }
    }

    private IndexOutcome outcome(
            RetryDecision decision,
            @Nullable IndexResult result,
            ProgressRecord record,
            ResourceObject resourceObject) {
        decision.log(resourceObject.logger());
        if (decision.outcome() instanceof Outcome.Succeeded) {
            return result == null ? KEPT : new IndexOutcome.Replaced(result);
        }
        return new IndexOutcome.Removed(ProgressTransitions.after(
                record, decision.outcome(), runner.platform().now()));
    }
}
