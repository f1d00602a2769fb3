package dev.kopf4j.engine.handling.change;

import dev.kopf4j.HandlerContext;
import dev.kopf4j.Lifecycle;
import dev.kopf4j.SubHandlersUnfinishedException;
import dev.kopf4j.engine.handling.call.HandlerRunner;
import dev.kopf4j.engine.handling.call.Verdicts;
import dev.kopf4j.engine.handling.context.Occasion;
import dev.kopf4j.engine.handling.progress.HandlingState;
import dev.kopf4j.engine.handling.progress.Judgement;
import dev.kopf4j.engine.handling.progress.Outcome;
import dev.kopf4j.engine.handling.progress.Results;
import dev.kopf4j.engine.handling.progress.Verdict;
import dev.kopf4j.engine.handling.registration.RegisteredHandler;
import dev.kopf4j.engine.handling.selection.HandlerSelection;
import dev.kopf4j.engine.handling.selection.LifecyclePlan;
import dev.kopf4j.object.PatchContent;
import dev.kopf4j.persistence.ProgressRecord;
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
final class CycleCalls {
    private final ChangeHandling handling;
    private final HandlingState state;
    private final CycleCheckpoint checkpoint;
    private final LeftBehind leftBehind;
    private final Platform platform;
    private boolean held;

    CycleCalls(ChangeHandling handling, HandlingState state, CycleCheckpoint checkpoint, LeftBehind leftBehind) {
        this.handling = handling;
        this.state = state;
        this.checkpoint = checkpoint;
        this.leftBehind = leftBehind;
        this.platform = handling.runner().platform();
    }

    /** True if a handler could not be called, as an earlier call of it goes on in spite of its interruption. */
    boolean isHeld() {
        return held;
    }

    /** Calls those of the handlers that are due and planned by the lifecycle. */
    void call(List<RegisteredHandler> handlers, List<RegisteredHandler> ancestors, Occasion.Changed occasion)
            throws InterruptedException {
        List<RegisteredHandler> due = state.due(handlers, platform.now());
        Lifecycle lifecycle = handling.runner().settings().lifecycle();
        List<RegisteredHandler> planned = LifecyclePlan.plan(
                lifecycle, due, handler -> state.record(handler).retries(), platform.random());
        for (RegisteredHandler handler : planned) {
            if (leftBehind.has(handler)) {
                held = true;
            } else if (!checkpoint.isOvertaken()) {
                boolean last = ancestors.isEmpty() && handler.equals(planned.getLast());
                callOne(handler, ancestors, occasion, last);
            }
        }
    }

    private void callOne(
            RegisteredHandler handler, List<RegisteredHandler> ancestors, Occasion.Changed occasion, boolean last)
            throws InterruptedException {
        PatchContent own = new PatchContent();
        Verdict verdict = new OneCall(handler, ancestors, occasion, own).verdict();
        verdict.log(checkpoint.subject().logger());
        checkpoint.patch().add(own);
        Results.deliver(handler.id(), verdict.outcome(), checkpoint.patch());
        state.add(handler, verdict.outcome(), platform.now());
        if (verdict.outcome() instanceof Outcome.Succeeded && !last) {
            checkpoint.succeeded(state);
        }
    }

    /** One call of one handler. */
    private final class OneCall implements HandlerRunner.Meanwhile {
        private final RegisteredHandler handler;
        private final List<RegisteredHandler> ancestors;
        private final Occasion.Changed occasion;
        private final PatchContent own;
        private final Monitor monitor = platform.monitor();
        private final SubHandlerSession session;

        OneCall(
                RegisteredHandler handler,
                List<RegisteredHandler> ancestors,
                Occasion.Changed occasion,
                PatchContent own) {
            this.handler = handler;
            this.ancestors = ancestors;
            this.occasion = occasion;
            this.own = own;
            this.session = new SubHandlerSession(handler, monitor);
        }

        Verdict verdict() throws InterruptedException {
            ProgressRecord record = state.record(handler);
            checkpoint.subject().logger().debug("{} is invoked.", handler);
            Instant now = platform.now();
            Verdict refusal = judgement(record, now).beforeCall();
            if (refusal != null) {
                return refusal;
            }
            HandlerContext context =
                    handling.contexts().calling(handler, checkpoint.preview(), occasion, record, own, session);
            HandlerRunner.End end = run(context, timeout(record, now));
            if (end instanceof HandlerRunner.End.LeftBehind(var task)) {
                leftBehind.add(handler, task);
            }
            return afterChildren(end, record);
        }

        private HandlerRunner.End run(HandlerContext context, Deadline timeout) throws InterruptedException {
            try {
                return handling.runner().run(handler, context, timeout, monitor, this);
            } catch (HandlerRunner.Cancelled e) {
                leftBehind.add(handler, e.task());
                throw e;
            }
        }

        /** A parent is finished only when its sub-handlers are, whatever its function has made of the signal. */
        private Verdict afterChildren(HandlerRunner.End end, ProgressRecord record) throws InterruptedException {
            if (end instanceof HandlerRunner.End.Returned && session.hasUnexecuted()) {
                callChildren();
            }
            boolean ended = end instanceof HandlerRunner.End.Returned
                    || (end instanceof HandlerRunner.End.Threw(var exception)
                            && exception instanceof SubHandlersUnfinishedException);
            Duration unfinished = ended ? session.unfinished().orElse(null) : null;
            return unfinished == null
                    ? Verdicts.of(end, judgement(record, platform.now()))
                    // The text is what Python's operators write there.
                    : new Verdict(
                            new Outcome.Retry(unfinished, "None"),
                            Level.DEBUG,
                            handler + " has unfinished sub-handlers. Will retry soon.",
                            null);
        }

        private void callChildren() throws InterruptedException {
            Occasion.Changed narrowed = occasion.within(handler.field());
            List<RegisteredHandler> lineage = new ArrayList<>(ancestors);
            lineage.add(handler);
            List<RegisteredHandler> children =
                    HandlerSelection.ofParent(session.take(), checkpoint.subject(), narrowed, handling.contexts());
            state.activateChildren(children, lineage, checkpoint.subject().node(), platform.now());
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

        private Judgement judgement(ProgressRecord record, Instant now) {
            return new Judgement(
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
