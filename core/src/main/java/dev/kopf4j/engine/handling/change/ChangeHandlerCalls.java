package dev.kopf4j.engine.handling.change;

import dev.kopf4j.engine.handling.context.InvocationCause;
import dev.kopf4j.engine.handling.progress.Outcome;
import dev.kopf4j.engine.handling.progress.ProgressState;
import dev.kopf4j.engine.handling.progress.ResultDelivery;
import dev.kopf4j.engine.handling.progress.RetryDecision;
import dev.kopf4j.engine.handling.registry.RegisteredHandler;
import dev.kopf4j.engine.handling.selection.LifecyclePlan;
import dev.kopf4j.object.PatchContent;
import dev.kopf4j.runtime.Platform;
import java.util.List;

/**
 * The calls of one cycle: the handlers that are due, in their order. The patch and the result of each call join the
 * cycle's patch, its outcome joins the progress. Confined to the object's worker.
 */
final class ChangeHandlerCalls {
    private final ChangeCycleState cycle;
    private final ProgressState progress;
    private final ProgressCheckpoint checkpoint;
    private final Platform platform;
    private boolean held;

    ChangeHandlerCalls(ChangeCycleState cycle) {
        this.cycle = cycle;
        this.progress = cycle.progress();
        this.checkpoint = cycle.checkpoint();
        this.platform = cycle.handling().platform();
    }

    /** True if a handler could not be called, as an earlier call of it goes on although it was interrupted. */
    boolean isHeld() {
        return held;
    }

    /**
     * Calls those of the handlers that are due and planned by the lifecycle.
     *
     * @param ancestors the handler that has declared these ones as its sub-handlers, behind its own ancestors; empty
     *     for handlers that are no sub-handlers
     */
    void call(List<RegisteredHandler> handlers, List<RegisteredHandler> ancestors, InvocationCause.Changing cause)
            throws InterruptedException {
        List<RegisteredHandler> planned = LifecyclePlan.plan(
                cycle.handling().lifecycle(),
                progress.due(handlers, platform.now()),
                handler -> progress.record(handler).retries(),
                platform.random());
        for (RegisteredHandler handler : planned) {
            if (cycle.orphanedCalls().has(handler)) {
                held = true;
            } else if (!checkpoint.isOvertaken()) {
                boolean last = ancestors.isEmpty() && handler.equals(planned.getLast());
                call(handler, ancestors, cause, last);
            }
        }
    }

    private void call(
            RegisteredHandler handler, List<RegisteredHandler> ancestors, InvocationCause.Changing cause, boolean last)
            throws InterruptedException {
        PatchContent own = new PatchContent();
        SubHandlerCalls subHandlers = new SubHandlerCalls(cycle, this, handler, ancestors, cause, own);
        RetryDecision decision = new ChangeHandlerCall(cycle, handler, cause, own, subHandlers).make();
        decision.log(checkpoint.resourceObject().logger());
        checkpoint.patch().add(own);
        ResultDelivery.deliver(handler.id(), decision.outcome(), checkpoint.patch());
        progress.add(handler, decision.outcome(), platform.now());
        if (decision.outcome() instanceof Outcome.Succeeded && !last) {
            checkpoint.succeeded(progress);
        }
    }
}
