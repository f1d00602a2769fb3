package dev.kopf4j.engine.handling.invocation;

import dev.kopf4j.engine.cause.RawEvent;
import dev.kopf4j.engine.handling.context.ContextFactory;
import dev.kopf4j.engine.handling.context.InvocationCause;
import dev.kopf4j.engine.handling.context.NoSubHandlers;
import dev.kopf4j.engine.handling.context.ResourceObject;
import dev.kopf4j.engine.handling.progress.ProgressTransitions;
import dev.kopf4j.engine.handling.progress.ResultDelivery;
import dev.kopf4j.engine.handling.progress.RetryDecision;
import dev.kopf4j.engine.handling.progress.RetryPolicy;
import dev.kopf4j.engine.handling.registry.RegisteredHandler;
import dev.kopf4j.engine.handling.selection.HandlerSelection;
import dev.kopf4j.object.PatchContent;
import dev.kopf4j.runtime.Deadline;
import java.time.Duration;
import java.util.List;

/** Calls the handlers of raw events: all of them, once, without any record. Thread-safe. */
public final class EventHandlerCalls {
    private final HandlerRunner runner;
    private final ContextFactory contexts;

    /** Calls through the given runner. */
    public EventHandlerCalls(HandlerRunner runner, ContextFactory contexts) {
        this.runner = runner;
        this.contexts = contexts;
    }

    /** Calls the handlers that the event concerns, and collects what they want to be changed. */
    public void call(
            List<RegisteredHandler> handlers, ResourceObject resourceObject, RawEvent event, PatchContent patch)
            throws InterruptedException {
        InvocationCause.Watching occasion = new InvocationCause.Watching(event);
        for (RegisteredHandler handler : HandlerSelection.forEvent(handlers, resourceObject, occasion, contexts)) {
            callOne(handler, resourceObject, occasion, patch);
        }
    }

    private void callOne(
            RegisteredHandler handler,
            ResourceObject resourceObject,
            InvocationCause invocationCause,
            PatchContent patch)
            throws InterruptedException {
        resourceObject.logger().debug("{} is invoked.", handler);
        PatchContent own = new PatchContent();
        ResourceObject seen = resourceObject.with(patch.preview(resourceObject.node()));
        var context = contexts.forCall(
                handler,
                seen,
                invocationCause,
                ProgressTransitions.fresh(runner.platform().now(), null),
                own,
                NoSubHandlers.INSTANCE);
        HandlerRunner.CallEnd callEnd =
                runner.run(handler, context, Deadline.NEVER, runner.platform().monitor(), NothingDuringCall.INSTANCE);
        RetryPolicy retryPolicy =
                new RetryPolicy(handler, 0, Duration.ZERO, runner.settings().defaultBackoff());
        RetryDecision retryDecision = RetryDecisions.of(callEnd, retryPolicy);
        retryDecision.log(resourceObject.logger());
        patch.add(own);
        ResultDelivery.deliver(handler.id(), retryDecision.outcome(), patch);
    }
}
