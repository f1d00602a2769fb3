package dev.kopf4j.engine.handling.call;

import dev.kopf4j.HandlerContext;
import dev.kopf4j.engine.cause.RawEvent;
import dev.kopf4j.engine.handling.context.ContextFactory;
import dev.kopf4j.engine.handling.context.NoSubHandlers;
import dev.kopf4j.engine.handling.context.Occasion;
import dev.kopf4j.engine.handling.context.Subject;
import dev.kopf4j.engine.handling.progress.Judgement;
import dev.kopf4j.engine.handling.progress.Outcome;
import dev.kopf4j.engine.handling.progress.Progress;
import dev.kopf4j.engine.handling.progress.Verdict;
import dev.kopf4j.engine.handling.registration.RegisteredHandler;
import dev.kopf4j.engine.handling.selection.HandlerSelection;
import dev.kopf4j.object.PatchContent;
import dev.kopf4j.persistence.ProgressRecord;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * Calls index functions. Nothing is written to the object: failures are remembered by whoever asks, in memory.
 * Thread-safe.
 */
public final class IndexCalls {
    private static final IndexOutcome KEPT = new IndexOutcome.Kept();

    private final HandlerRunner runner;
    private final ContextFactory contexts;

    /** Calls through the given runner. */
    public IndexCalls(HandlerRunner runner, ContextFactory contexts) {
        this.runner = runner;
        this.contexts = contexts;
    }

    /**
     * Calls the first of the functions whose filters let the object pass.
     *
     * @param functions those of one index, in the order of their registration; at least one
     * @param failures the attempts that have failed so far; null if there are none
     * @throws InterruptedException if the operator stops
     */
    public IndexOutcome call(
            List<RegisteredHandler> functions, Subject subject, RawEvent event, @Nullable ProgressRecord failures)
            throws InterruptedException {
        Instant now = runner.platform().now();
        if (failures != null && isSleeping(failures, now)) {
            return new IndexOutcome.Removed(failures);
        }
        ProgressRecord record = failures == null ? Progress.fresh(now, null) : failures;
        Occasion.Noticed occasion = new Occasion.Noticed(event);
        List<RegisteredHandler> matching;
        try {
            matching = HandlerSelection.forEvent(functions, subject, occasion, contexts);
        } catch (RuntimeException | StackOverflowError | AssertionError | LinkageError e) {
            // Neither the other indices nor the other handlers have to wait for a filter that fails.
            return judged(new HandlerRunner.End.Threw(e), functions.getFirst(), record, subject);
        }
        return matching.isEmpty()
                ? new IndexOutcome.Removed(failures)
                : call(matching.getFirst(), subject, occasion, record);
    }

    private static boolean isSleeping(ProgressRecord failures, Instant now) {
        Instant delayed = failures.delayed();
        return Progress.isFinished(failures) || (delayed != null && delayed.isAfter(now));
    }

    private IndexOutcome call(
            RegisteredHandler function, Subject subject, Occasion.Noticed occasion, ProgressRecord record)
            throws InterruptedException {
        Verdict refusal = judgement(function, record).beforeCall();
        if (refusal != null) {
            return concluded(refusal, null, record, subject);
        }
        HandlerContext context =
                contexts.calling(function, subject, occasion, record, new PatchContent(), NoSubHandlers.INSTANCE);
        Platform platform = runner.platform();
        HandlerRunner.End end =
                runner.run(function, context, timeout(function, record), platform.monitor(), NothingMeanwhile.INSTANCE);
        return judged(end, function, record, subject);
    }

    private IndexOutcome judged(
            HandlerRunner.End end, RegisteredHandler function, ProgressRecord record, Subject subject) {
        Judgement judgement = judgement(function, record);
        if (!(end instanceof HandlerRunner.End.Returned(var value))) {
            return concluded(Verdicts.of(end, judgement), null, record, subject);
        }
        try {
            IndexResult result = IndexResult.of(value);
            Verdict verdict = new Verdict(new Outcome.Succeeded(null), Level.INFO, function + " succeeded.", null);
            return concluded(verdict, result, record, subject);
        } catch (RuntimeException | StackOverflowError e) {
            // Whatever user code may do in a map's iteration, in a key's hash.
            return concluded(judgement.threw(e), null, record, subject);
        }
    }

    private IndexOutcome concluded(
            Verdict verdict, @Nullable IndexResult result, ProgressRecord record, Subject subject) {
        verdict.log(subject.logger());
        if (verdict.outcome() instanceof Outcome.Succeeded) {
            return result == null ? KEPT : new IndexOutcome.Replaced(result);
        }
        return new IndexOutcome.Removed(
                Progress.after(record, verdict.outcome(), runner.platform().now()));
    }

    private Judgement judgement(RegisteredHandler function, ProgressRecord record) {
        return new Judgement(
                function, record.retries(), runtime(record), runner.settings().defaultBackoff());
    }

    private Deadline timeout(RegisteredHandler function, ProgressRecord record) {
        Duration timeout = function.definition().timeout();
        return timeout == null ? Deadline.NEVER : runner.platform().after(timeout.minus(runtime(record)));
    }

    private Duration runtime(ProgressRecord record) {
        Instant now = runner.platform().now();
        Instant started = record.started();
        return started == null ? Duration.ZERO : Duration.between(started, now);
    }
}
