package dev.kopf4j.engine.handling.call;

import dev.kopf4j.HandlerContext;
import dev.kopf4j.Stopped;
import dev.kopf4j.engine.handling.context.ContextFactory;
import dev.kopf4j.engine.handling.context.NoSubHandlers;
import dev.kopf4j.engine.handling.context.Occasion;
import dev.kopf4j.engine.handling.context.Subject;
import dev.kopf4j.engine.handling.progress.Judgement;
import dev.kopf4j.engine.handling.progress.Outcome;
import dev.kopf4j.engine.handling.progress.Progress;
import dev.kopf4j.engine.handling.progress.Results;
import dev.kopf4j.engine.handling.progress.Verdict;
import dev.kopf4j.engine.handling.registration.RegisteredHandler;
import dev.kopf4j.object.PatchContent;
import dev.kopf4j.persistence.ProgressRecord;
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
public final class BackgroundCall {
    private final HandlerRunner runner;
    private final ContextFactory contexts;
    private final RegisteredHandler handler;
    private final Subject subject;
    private final Stopped stopped;
    private final ProgressRecord record;
    private final PatchContent patch = new PatchContent();
    private HandlerRunner.@Nullable End end;

    BackgroundCall(
            HandlerRunner runner,
            ContextFactory contexts,
            RegisteredHandler handler,
            Subject subject,
            Stopped stopped,
            ProgressRecord record) {
        this.runner = runner;
        this.contexts = contexts;
        this.handler = handler;
        this.subject = subject;
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
        Verdict refusal = judgement().beforeCall();
        return refusal == null ? null : told(refusal);
    }

    /** Calls the user's code, in the current task. */
    public void run() {
        subject.logger().debug("{} is invoked.", handler);
        HandlerContext context = contexts.calling(
                handler,
                subject,
                new Occasion.Accompanied(subject::node, stopped),
                record,
                patch,
                NoSubHandlers.INSTANCE);
        end = HandlerRunner.invoke(handler, context);
    }

    /** True if the user's code has ended because its thread was interrupted. */
    public boolean wasInterrupted() {
        return end instanceof HandlerRunner.End.Threw(Throwable exception) && isInterruption(exception);
    }

    private static boolean isInterruption(@Nullable Throwable exception) {
        return exception != null
                && (exception instanceof InterruptedException
                        || exception instanceof ClosedByInterruptException
                        || isInterruption(exception.getCause()));
    }

    /** What the end of the call means; says so in the log, and puts the result into the patch. */
    public Outcome judge() {
        Verdict verdict = Verdicts.of(Objects.requireNonNull(end, "the call has not ended"), judgement());
        Results.deliver(handler.id(), verdict.outcome(), patch);
        return told(verdict);
    }

    /** The time for all attempts is over; says so in the log. */
    public Outcome timedOut() {
        return told(judgement().timedOut());
    }

    /** What the call wants to be changed; complete once it has ended and was judged. */
    public PatchContent patch() {
        return patch;
    }

    /** How far the handler has come with that outcome. */
    public ProgressRecord after(Outcome outcome) {
        return Progress.after(record, outcome, runner.platform().now());
    }

    private Outcome told(Verdict verdict) {
        verdict.log(subject.logger());
        return verdict.outcome();
    }

    private Judgement judgement() {
        return new Judgement(
                handler, record.retries(), runtime(), runner.settings().defaultBackoff());
    }

    private Duration runtime() {
        Instant started = record.started();
        return started == null
                ? Duration.ZERO
                : Duration.between(started, runner.platform().now());
    }
}
