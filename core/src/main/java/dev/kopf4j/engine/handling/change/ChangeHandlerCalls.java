package dev.kopf4j.engine.handling.change;

import dev.kopf4j.HandlerContext;
import dev.kopf4j.HandlerLifecycle;
import dev.kopf4j.SubHandlersUnfinishedException;
import dev.kopf4j.engine.handling.context.InvocationCause;
import dev.kopf4j.engine.handling.invocation.HandlerRunner;
import dev.kopf4j.engine.handling.invocation.RetryDecisions;
import dev.kopf4j.engine.handling.progress.Outcome;
import dev.kopf4j.engine.handling.progress.ProgressState;
import dev.kopf4j.engine.handling.progress.ResultDelivery;
import dev.kopf4j.engine.handling.progress.RetryDecision;
import dev.kopf4j.engine.handling.progress.RetryPolicy;
import dev.kopf4j.engine.handling.registry.RegisteredHandler;
import dev.kopf4j.engine.handling.selection.HandlerSelection;
import dev.kopf4j.engine.handling.selection.LifecyclePlan;
import dev.kopf4j.object.PatchContent;
import dev.kopf4j.persistence.progress.ProgressRecord;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.event.Level;

/**
 * The calls of one cycle: handlers in their order, and the sub-handlers that they declare. Each call's patch and result
 * join the cycle's patch, its outcome joins the progress. Confined to the object's worker.
 */
final class ChangeHandlerCalls {
    private final ChangeHandling handling;
    private final ProgressState state;
    private final ProgressCheckpoint checkpoint;
    private final OrphanedCalls orphanedCalls;
    private final Platform platform;
    private boolean held;

    ChangeHandlerCalls(
            ChangeHandling handling, ProgressState state, ProgressCheckpoint checkpoint, OrphanedCalls orphanedCalls) {
        this.handling = handling;
        this.state = state;
        this.checkpoint = checkpoint;
        this.orphanedCalls = orphanedCalls;
        this.platform = handling.runner().platform();
    }

    /** True if a handler could not be called, as an earlier call of it goes on in spite of its interruption. */
    boolean isHeld() {
        return held;
    }

    /** Calls those of the handlers that are due and planned by the lifecycle. */
    void call(List<RegisteredHandler> handlers, List<RegisteredHandler> ancestors, InvocationCause.Changing occasion)
            throws InterruptedException {
        List<RegisteredHandler> due = state.due(handlers, platform.now());
        HandlerLifecycle lifecycle = handling.runner().settings().lifecycle();
        List<RegisteredHandler> planned = LifecyclePlan.plan(
                lifecycle, due, handler -> state.record(handler).retries(), platform.random());
        for (RegisteredHandler handler : planned) {
            if (orphanedCalls.has(handler)) {
                held = true;
            } else if (!checkpoint.isOvertaken()) {
                boolean last = ancestors.isEmpty() && handler.equals(planned.getLast());
                callOne(handler, ancestors, occasion, last);
            }
        }
    }

    private void callOne(
            RegisteredHandler handler,
            List<RegisteredHandler> ancestors,
            InvocationCause.Changing occasion,
            boolean last)
            throws InterruptedException {
        PatchContent own = new PatchContent();
        RetryDecision retryDecision = new OneCall(handler, ancestors, occasion, own).retryDecision();
        retryDecision.log(checkpoint.resourceObject().logger());
        checkpoint.patch().add(own);
        ResultDelivery.deliver(handler.id(), retryDecision.outcome(), checkpoint.patch());
        state.add(handler, retryDecision.outcome(), platform.now());
        if (retryDecision.outcome() instanceof Outcome.Succeeded && !last) {
            checkpoint.succeeded(state);
        }
    }

    /** One call of one handler. */
    private final class OneCall implements HandlerRunner.DuringCall {
        private final RegisteredHandler handler;
        private final List<RegisteredHandler> ancestors;
        private final InvocationCause.Changing occasion;
        private final PatchContent own;
        private final Monitor monitor = platform.monitor();
        private final DeclaredSubHandlers session;

        OneCall(
                RegisteredHandler handler,
                List<RegisteredHandler> ancestors,
                InvocationCause.Changing occasion,
                PatchContent own) {
            this.handler = handler;
            this.ancestors = ancestors;
            this.occasion = occasion;
            this.own = own;
            this.session = new DeclaredSubHandlers(handler, monitor);
        }

        RetryDecision retryDecision() throws InterruptedException {
            ProgressRecord record = state.record(handler);
            checkpoint.resourceObject().logger().debug("{} is invoked.", handler);
            Instant now = platform.now();
            RetryDecision refusal = judgement(record, now).checkLimits();
            if (refusal != null) {
                return refusal;
            }
            HandlerContext context =
                    handling.contexts().forCall(handler, checkpoint.preview(), occasion, record, own, session);
            HandlerRunner.CallEnd callEnd = run(context, timeout(record, now));
            if (callEnd instanceof HandlerRunner.CallEnd.Orphaned(var task)) {
                orphanedCalls.add(handler, task);
            }
            return afterChildren(callEnd, record);
        }

        private HandlerRunner.CallEnd run(HandlerContext context, Deadline timeout) throws InterruptedException {
            try {
                return handling.runner().run(handler, context, timeout, monitor, this);
            } catch (HandlerRunner.Cancelled e) {
                orphanedCalls.add(handler, e.task());
                throw e;
            }
        }

        /** A parent is finished only when its sub-handlers are, whatever its function has made of the signal. */
        private RetryDecision afterChildren(HandlerRunner.CallEnd callEnd, ProgressRecord record)
                throws InterruptedException {
            if (callEnd instanceof HandlerRunner.CallEnd.Returned && session.hasUnexecuted()) {
                callChildren();
            }
            boolean ended = callEnd instanceof HandlerRunner.CallEnd.Returned
                    || (callEnd instanceof HandlerRunner.CallEnd.Threw(var exception)
                            && exception instanceof SubHandlersUnfinishedException);
            Duration unfinished = ended ? session.unfinished().orElse(null) : null;
            return unfinished == null
                    ? RetryDecisions.of(callEnd, judgement(record, platform.now()))
                    // The text is what Python's operators write there.
                    : new RetryDecision(
                            new Outcome.Retry(unfinished, "None"),
                            Level.DEBUG,
                            handler + " has unfinished sub-handlers. Will retry soon.",
                            null);
        }

        private void callChildren() throws InterruptedException {
            InvocationCause.Changing narrowed = occasion.within(handler.field());
            List<RegisteredHandler> lineage = new ArrayList<>(ancestors);
            lineage.add(handler);
            List<RegisteredHandler> children = HandlerSelection.ofParent(
                    session.take(), checkpoint.resourceObject(), narrowed, handling.contexts());
            state.activateChildren(
                    children, lineage, checkpoint.resourceObject().node(), platform.now());
            // What the parent wants to be changed so far is seen by its children.
            checkpoint.patch().add(own);
            own.clear();
            call(children, lineage, narrowed);
            session.complete(state.delay(children, platform.now()).orElse(null));
        }

        @Override
        public Deadline due() {
            return checkpoint.due();
        }

        @Override
        public boolean isRequested() {
            return session.isRequested();
        }

        @Override
        public void act() throws InterruptedException {
            if (session.isRequested()) {
                callChildren();
            }
            checkpoint.writeIfDue(state);
        }

        private RetryPolicy judgement(ProgressRecord record, Instant now) {
            return new RetryPolicy(
                    handler,
                    record.retries(),
                    runtime(record, now),
                    handling.runner().settings().defaultBackoff());
        }

        private Deadline timeout(ProgressRecord record, Instant now) {
            Duration timeout = handler.definition().timeout();
            return timeout == null ? Deadline.NEVER : platform.after(timeout.minus(runtime(record, now)));
        }

        private static Duration runtime(ProgressRecord record, Instant now) {
            Instant started = record.started();
            return started == null ? Duration.ZERO : Duration.between(started, now);
        }
    }
}
