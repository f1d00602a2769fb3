package dev.kopf4j.engine.handling.call;

import dev.kopf4j.engine.cause.RawEvent;
import dev.kopf4j.engine.handling.context.ContextFactory;
import dev.kopf4j.engine.handling.context.NoSubHandlers;
import dev.kopf4j.engine.handling.context.Occasion;
import dev.kopf4j.engine.handling.context.Subject;
import dev.kopf4j.engine.handling.progress.Judgement;
import dev.kopf4j.engine.handling.progress.Progress;
import dev.kopf4j.engine.handling.progress.Results;
import dev.kopf4j.engine.handling.progress.Verdict;
import dev.kopf4j.engine.handling.registration.RegisteredHandler;
import dev.kopf4j.engine.handling.selection.HandlerSelection;
import dev.kopf4j.object.PatchContent;
import dev.kopf4j.runtime.Deadline;
import java.time.Duration;
import java.util.List;

/** Calls the handlers of raw events: all of them, once, without any record. Thread-safe. */
public final class EventCalls {
    private final HandlerRunner runner;
    private final ContextFactory contexts;

    /** Calls through the given runner. */
    public EventCalls(HandlerRunner runner, ContextFactory contexts) {
        this.runner = runner;
        this.contexts = contexts;
    }

    /** Calls the handlers that the event concerns, and collects what they want to be changed. */
    public void call(List<RegisteredHandler> handlers, Subject subject, RawEvent event, PatchContent patch)
            throws InterruptedException {
        Occasion.Noticed occasion = new Occasion.Noticed(event);
        for (RegisteredHandler handler : HandlerSelection.forEvent(handlers, subject, occasion, contexts)) {
            callOne(handler, subject, occasion, patch);
        }
    }

    private void callOne(RegisteredHandler handler, Subject subject, Occasion occasion, PatchContent patch)
            throws InterruptedException {
        subject.logger().debug("{} is invoked.", handler);
        PatchContent own = new PatchContent();
        Subject seen = subject.with(patch.preview(subject.node()));
        var context = contexts.calling(
                handler, seen, occasion, Progress.fresh(runner.platform().now(), null), own, NoSubHandlers.INSTANCE);
        HandlerRunner.End end =
                runner.run(handler, context, Deadline.NEVER, runner.platform().monitor(), NothingMeanwhile.INSTANCE);
        Judgement judgement =
                new Judgement(handler, 0, Duration.ZERO, runner.settings().defaultBackoff());
        Verdict verdict = Verdicts.of(end, judgement);
        verdict.log(subject.logger());
        patch.add(own);
        Results.deliver(handler.id(), verdict.outcome(), patch);
    }
}
