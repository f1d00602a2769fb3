package dev.kopf4j.engine.handling.change;

import dev.kopf4j.HandlerContext;
import dev.kopf4j.engine.handling.context.InvocationCause;
import dev.kopf4j.engine.handling.invocation.CallEnd;
import dev.kopf4j.engine.handling.invocation.HandlerRunner;
import dev.kopf4j.engine.handling.invocation.WorkDuringCall;
import dev.kopf4j.engine.handling.progress.RetryDecision;
import dev.kopf4j.engine.handling.progress.RetryPolicy;
import dev.kopf4j.engine.handling.registry.RegisteredHandler;
import dev.kopf4j.object.PatchContent;
import dev.kopf4j.persistence.progress.ProgressRecord;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Task;

/**
 * One call of one handler of changes. While it runs, its sub-handlers are called on request, and checkpoints are
 * written. Confined to the object's worker; used once.
 */
final class ChangeHandlerCall implements WorkDuringCall {
    private final ChangeCycleState cycle;
    private final CycleSequence sequence;
    private final HandlerRunner runner;
    private final RegisteredHandler handler;
    private final ProgressRecord record;
    private final InvocationCause.Changing cause;
    private final PatchContent own;
    private final SubHandlerCalls subHandlers;

    /**
     * A call.
     *
     * @param sequence ends cycles where the call goes on
     * @param record how far the handler has come
     * @param own takes what the call wants to change
     */
    ChangeHandlerCall(
            ChangeCycleState cycle,
            CycleSequence sequence,
            RegisteredHandler handler,
            ProgressRecord record,
            InvocationCause.Changing cause,
            PatchContent own,
            SubHandlerCalls subHandlers) {
        this.cycle = cycle;
        this.sequence = sequence;
        this.runner = cycle.handling().runner();
        this.handler = handler;
        this.record = record;
        this.cause = cause;
        this.own = own;
        this.subHandlers = subHandlers;
    }

    /** Makes the call, unless the limits forbid it, and says what its end means. */
    RetryDecision make() throws InterruptedException {
        cycle.checkpoint().stored().logger().debug("{} is invoked.", handler);
        RetryPolicy policy = runner.retryPolicy(handler, record);
        RetryDecision refusal = policy.checkLimits();
        if (refusal != null) {
            return refusal;
        }
        CallEnd end = run(runner.timeout(policy));
        RetryDecision unfinished = subHandlers.finish(end);
        return unfinished == null ? end.decide(runner.retryPolicy(handler, record)) : unfinished;
    }

    private CallEnd run(Deadline timeout) throws InterruptedException {
        HandlerContext context = cycle.handling()
                .contexts()
                .with((handlerId, body) -> cycle.progress().recordOf(handlerId))
                .forCall(handler, cycle.checkpoint().preview(), cause, record, own, subHandlers.declared());
        CallEnd end = runner.run(handler, context, timeout, subHandlers.monitor(), this);
        if (end instanceof CallEnd.Orphaned(var task)) {
            left(task);
        }
        return end;
    }

    @Override
    public Deadline due() {
        return cycle.checkpoint().due();
    }

    @Override
    public boolean isRequested() {
        return subHandlers.isRequested();
    }

    @Override
    public void act() throws InterruptedException {
        if (subHandlers.isRequested()) {
            subHandlers.call();
        }
        subHandlers.showParents();
        sequence.writeIfDue();
    }

    @Override
    public void left(Task call) {
        cycle.memory().orphanedCalls().add(handler, call);
    }
}
