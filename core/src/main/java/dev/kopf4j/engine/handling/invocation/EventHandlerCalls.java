package dev.kopf4j.engine.handling.invocation;

import dev.kopf4j.HandlerContext;
import dev.kopf4j.engine.cause.RawEvent;
import dev.kopf4j.engine.handling.context.ContextFactory;
import dev.kopf4j.engine.handling.context.InvocationCause;
import dev.kopf4j.engine.handling.context.NoSubHandlers;
import dev.kopf4j.engine.handling.context.ResourceObject;
import dev.kopf4j.engine.handling.progress.ProgressTransitions;
import dev.kopf4j.engine.handling.progress.ResultDelivery;
import dev.kopf4j.engine.handling.progress.RetryDecision;
import dev.kopf4j.engine.handling.registry.RegisteredHandler;
import dev.kopf4j.engine.handling.selection.HandlerSelection;
import dev.kopf4j.object.PatchContent;
import dev.kopf4j.persistence.progress.ProgressRecord;
import dev.kopf4j.runtime.Deadline;
import java.util.List;

/** Calls the handlers of raw events: each of them once for each event, without progress. Thread-safe. */
public final class EventHandlerCalls {
    private final HandlerRunner runner;
    private final ContextFactory contexts;

    /** Calls through the given runner. */
    public EventHandlerCalls(HandlerRunner runner, ContextFactory contexts) {
        this.runner = runner;
        this.contexts = contexts;
    }

    /** Calls the handlers whose filters let the event pass, and collects what they want to change. */
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
        PatchContent own = PatchContent.after(patch);
        ResourceObject seen = resourceObject.with(patch.preview(resourceObject.node()));
        ProgressRecord record = ProgressTransitions.fresh(runner.platform().now(), null);
        HandlerContext context = contexts.forCall(handler, seen, invocationCause, record, own, NoSubHandlers.INSTANCE);
        CallEnd end =
                runner.run(handler, context, Deadline.NEVER, runner.platform().monitor(), NoWorkDuringCall.INSTANCE);
        RetryDecision decision = end.decide(runner.retryPolicy(handler, record));
        decision.log(resourceObject.logger());
        patch.add(own.handOver());
        ResultDelivery.deliver(handler.id(), decision.outcome(), patch);
    }
}
