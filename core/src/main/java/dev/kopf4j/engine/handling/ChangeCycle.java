package dev.kopf4j.engine.handling;

import dev.kopf4j.HandlerContext;
import dev.kopf4j.Lifecycle;
import dev.kopf4j.client.ClientException;
import dev.kopf4j.engine.cause.Change;
import dev.kopf4j.engine.cause.Deletion;
import dev.kopf4j.json.JsonEquality;
import dev.kopf4j.object.PatchContent;
import dev.kopf4j.persistence.ProgressRecord;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/**
 * One cycle of handling a change: calls the handlers that are due, remembers their outcomes, and leaves in the patch
 * what is to be written at the end. Confined to the object's worker; used once.
 *
 * <p>Successes do not stay unwritten for longer than the checkpoint setting, even while the next handler is running.
 */
public final class ChangeCycle {
    private final ChangeHandling handling;
    private final ResourceHandlers handlers;
    private final Occasion.Changed occasion;
    private final PatchContent patch;
    private final LeftBehind leftBehind;
    private final Checkpoint checkpoint;
    private final Platform platform;
    private final CycleLog log;

    private Subject subject;
    private Deadline checkpointDue = Deadline.NEVER;
    private boolean overtaken;
    private boolean held;

    ChangeCycle(
            ChangeHandling handling,
            ResourceHandlers handlers,
            Subject subject,
            Occasion.Changed occasion,
            PatchContent patch,
            LeftBehind leftBehind,
            Checkpoint checkpoint) {
        this.handling = handling;
        this.handlers = handlers;
        this.subject = subject;
        this.occasion = occasion;
        this.patch = patch;
        this.leftBehind = leftBehind;
        this.checkpoint = checkpoint;
        this.platform = handling.runner().platform();
        this.log = new CycleLog(subject.logger(), occasion.reason());
    }

    /** What is left after a cycle. */
    public sealed interface Result {
        /** Nothing: all handlers have succeeded or failed for good. */
        record Done() implements Result {}

        /** Handlers to be called after the delay; zero for at once. */
        record Unfinished(Duration delay) implements Result {}

        /** The object has changed meanwhile: another cycle has to begin with its new state. */
        record Overtaken() implements Result {}
    }

    /**
     * Runs the cycle.
     *
     * @throws InterruptedException if the operator stops
     */
    public Result run() throws InterruptedException {
        List<RegisteredHandler> selected =
                HandlerSelection.forChange(handlers.changes(), subject, occasion, handling.contexts());
        HandlingState state = state(selected);
        log.inProgress(subject, occasion.change());
        if (selected.isEmpty()) {
            storeEssence();
            return new Result.Done();
        }
        call(selected, state);
        return overtaken ? takenOver(state) : finish(state);
    }

    private HandlingState state(List<RegisteredHandler> selected) {
        HandlingState state =
                HandlingState.load(handling.progress(), occasion.reason(), handlers.changes(), subject.node());
        state.activate(selected, platform.now());
        List<HandlingState.Superseded> others = state.superseded();
        if (!others.isEmpty()) {
            others.forEach(log::superseded);
            state.repurpose(selected);
            if (!state.superseded().isEmpty()) {
                state.purge(subject.node(), patch.merge());
            }
        }
        return state;
    }

    private void call(List<RegisteredHandler> selected, HandlingState state) throws InterruptedException {
        List<RegisteredHandler> due = state.due(selected, platform.now());
        Lifecycle lifecycle = handling.runner().settings().lifecycle();
        List<RegisteredHandler> planned = LifecyclePlan.plan(
                lifecycle, due, handler -> state.record(handler).retries(), platform.random());
        for (RegisteredHandler handler : planned) {
            if (leftBehind.has(handler)) {
                held = true;
            } else if (!overtaken) {
                callOne(handler, state, handler.equals(planned.getLast()));
            }
        }
    }

    private void callOne(RegisteredHandler handler, HandlingState state, boolean last) throws InterruptedException {
        ProgressRecord record = state.record(handler);
        PatchContent own = new PatchContent();
        Verdict verdict = verdict(handler, state, record, own);
        verdict.log(subject.logger());
        patch.add(own);
        Results.deliver(handler.id(), verdict.outcome(), patch);
        state.add(handler, verdict.outcome(), platform.now());
        if (verdict.outcome() instanceof Outcome.Succeeded && checkpointDue.isNever() && !last && isCheckpointed()) {
            checkpointDue = platform.after(handling.runner().settings().checkpoint());
            if (checkpointDue.hasPassed(platform)) {
                writeCheckpoint(state);
            }
        }
    }

    /** With the other lifecycles one write at the end of a cycle is what was asked for. */
    private boolean isCheckpointed() {
        return handling.runner().settings().lifecycle() == Lifecycle.IN_ORDER;
    }

    private Verdict verdict(RegisteredHandler handler, HandlingState state, ProgressRecord record, PatchContent own)
            throws InterruptedException {
        subject.logger().debug("{} is invoked.", handler);
        Instant now = platform.now();
        Verdict refusal = judgement(handler, record, now).beforeCall();
        if (refusal != null) {
            return refusal;
        }
        Subject seen = subject.with(patch.preview(subject.node()));
        HandlerContext context = handling.contexts().calling(handler, seen, occasion, record, own);
        HandlerRunner.End end =
                handling.runner().run(handler, context, timeout(handler, record, now), new CheckpointMeanwhile(state));
        if (end instanceof HandlerRunner.End.LeftBehind(var task)) {
            leftBehind.add(handler, task);
        }
        return Verdicts.of(end, judgement(handler, record, platform.now()));
    }

    private Judgement judgement(RegisteredHandler handler, ProgressRecord record, Instant now) {
        return new Judgement(
                handler,
                record.retries(),
                runtime(record, now),
                handling.runner().settings().defaultBackoff());
    }

    private Deadline timeout(RegisteredHandler handler, ProgressRecord record, Instant now) {
        Duration timeout = handler.definition().timeout();
        return timeout == null ? Deadline.NEVER : platform.after(timeout.minus(runtime(record, now)));
    }

    private static Duration runtime(ProgressRecord record, Instant now) {
        Instant started = record.started();
        return started == null ? Duration.ZERO : Duration.between(started, now);
    }

    private Result finish(HandlingState state) {
        state.store(subject.node(), patch.merge());
        if (state.isDone()) {
            log.processed(state);
            state.purge(subject.node(), patch.merge());
            storeEssence();
            return new Result.Done();
        }
        Duration delay = state.delay(platform.now());
        Duration known = delay == null ? Duration.ZERO : delay;
        Duration grace = handling.runner().settings().interruptGrace();
        return new Result.Unfinished(held && known.compareTo(grace) < 0 ? grace : known);
    }

    private Result takenOver(HandlingState state) {
        state.store(subject.node(), patch.merge());
        return new Result.Overtaken();
    }

    private void storeEssence() {
        Change change = occasion.change();
        if (!JsonEquality.equal(change.newEssence(), change.oldEssence())) {
            handling.diffBase().store(subject.node(), patch.merge(), change.newEssence());
        }
    }

    /** Writes what has been achieved so far, and goes on with the object as it is then. */
    private void writeCheckpoint(HandlingState state) throws InterruptedException {
        checkpointDue = Deadline.NEVER;
        state.store(subject.node(), patch.merge());
        ObjectNode answered;
        try {
            answered = checkpoint.write(patch);
        } catch (ClientException e) {
            // Nothing is lost: it stays in the patch, which is sent at the end of the cycle.
            subject.logger().debug("The checkpoint could not be written: {}", e.getMessage());
            return;
        }
        patch.clear();
        if (answered == null) {
            overtaken = true;
            return;
        }
        state.acknowledge();
        overtaken = isOvertaken(answered);
        subject = subject.with(answered);
    }

    private boolean isOvertaken(ObjectNode answered) {
        boolean deletionCame = Deletion.isRequested(answered) && !Deletion.isRequested(subject.node());
        Change now = handling.detector().change(answered, handlers.fields());
        return deletionCame
                || !JsonEquality.equal(now.newEssence(), occasion.change().newEssence());
    }

    private final class CheckpointMeanwhile implements HandlerRunner.Meanwhile {
        private final HandlingState state;

        CheckpointMeanwhile(HandlingState state) {
            this.state = state;
        }

        @Override
        public Deadline due() {
            return checkpointDue;
        }

        @Override
        public void act() throws InterruptedException {
            writeCheckpoint(state);
        }
    }
}
