package dev.kopf4j.engine.handling.change;

import dev.kopf4j.Reason;
import dev.kopf4j.engine.handling.context.Occasion;
import dev.kopf4j.engine.handling.context.Subject;
import dev.kopf4j.engine.handling.progress.HandlingState;
import dev.kopf4j.engine.handling.registration.RegisteredHandler;
import dev.kopf4j.engine.handling.registration.ResourceHandlers;
import dev.kopf4j.engine.handling.selection.HandlerSelection;
import dev.kopf4j.object.PatchContent;
import dev.kopf4j.runtime.Platform;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One cycle of handling a change: calls the handlers that are due, remembers their outcomes, and leaves in the patch
 * what is to be written at the end. Confined to the object's worker; used once.
 */
public final class ChangeCycle {
    private final ChangeHandling handling;
    private final ResourceHandlers handlers;
    private final Occasion.Changed occasion;
    private final boolean held;
    private final PatchContent patch;
    private final HandlingMemory memory;
    private final CycleCheckpoint checkpoint;
    private final Platform platform;
    private final CycleLog log;

    ChangeCycle(
            ChangeHandling handling,
            ResourceHandlers handlers,
            Subject subject,
            Occasion.Changed occasion,
            boolean held,
            PatchContent patch,
            HandlingMemory memory,
            Checkpoint checkpoint) {
        this.handling = handling;
        this.handlers = handlers;
        this.occasion = occasion;
        this.held = held;
        this.patch = patch;
        this.memory = memory;
        this.checkpoint = new CycleCheckpoint(
                handling, handlers, subject, occasion.cause(), patch, memory.sightings(), checkpoint);
        this.platform = handling.runner().platform();
        this.log = new CycleLog(subject.logger(), occasion.reason());
    }

    /** What is left after a cycle. */
    public sealed interface Result {
        /** Nothing: all handlers have succeeded or failed for good. */
        record Done() implements Result {}

        /** Nothing, but the object is held for other reasons: a later cycle finishes it. */
        record Held() implements Result {}

        /** Handlers to be called after the delay; zero for at once. */
        record Unfinished(Duration delay) implements Result {}

        /**
         * All have come to their ends, and the rest of the change is the next one: another cycle has to begin with it.
         */
        record Repeated() implements Result {}

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
                HandlerSelection.forChange(handlers.changes(), checkpoint.subject(), occasion, handling.contexts());
        HandlingState state = state(selected);
        memory.sightings().begin(occasion.change());
        log.inProgress(checkpoint.subject(), occasion.change());
        if (selected.isEmpty()) {
            return held ? new Result.Held() : nothingToDo(state);
        }
        CycleCalls calls = new CycleCalls(handling, state, checkpoint, memory.leftBehind());
        if (selected.size() == 1) {
            calls.call(selected, List.of(), occasion);
        } else {
            handling.runner().turns().during(() -> calls.call(selected, List.of(), occasion));
        }
        if (state.isDone() && !held && !checkpoint.isOvertaken()) {
            return done(state);
        }
        checkpoint.noteSightings(state);
        state.store(checkpoint.subject().node(), patch.merge());
        if (state.isDone() && held) {
            return new Result.Held();
        }
        return checkpoint.isOvertaken() ? new Result.Overtaken() : unfinished(state, selected, calls.isHeld());
    }

    private HandlingState state(List<RegisteredHandler> selected) {
        Subject subject = checkpoint.subject();
        HandlingState state = HandlingState.load(
                handling.progress(), occasion.reason(), handlers.changes(), memory.children(), subject.node());
        state.activate(selected, platform.now());
        List<HandlingState.Superseded> others = state.superseded();
        if (!others.isEmpty()) {
            others.forEach(log::superseded);
            state.repurpose(selected);
            if (!state.superseded().isEmpty()) {
                state.purgeOthers(subject.node(), patch.merge());
            }
        }
        return state;
    }

    /** Of the progress nothing has to be written: only that this operator was here. */
    private Result done(HandlingState state) {
        log.processed(state);
        handling.progress().mark(checkpoint.subject().node(), patch.merge());
        Repetition repetition = repetition(state);
        if (repetition != null) {
            return repeat(repetition, state);
        }
        memory.sightings().clear();
        state.purge(checkpoint.utmost().node(), patch.merge());
        storeEssence();
        return new Result.Done();
    }

    /** Deletions are not repeated: they do not depend on the state. */
    private @Nullable Repetition repetition(HandlingState state) {
        if (memory.sightings().isEmpty() || occasion.reason() == Reason.DELETE) {
            return null;
        }
        checkpoint.noteSightings(state);
        return Repetition.of(handling, handlers.changes(), checkpoint.subject(), occasion.change(), memory.sightings());
    }

    private Result repeat(Repetition repetition, HandlingState state) {
        log.repeated(repetition.outdated());
        if (occasion.reason() == Reason.CREATE) {
            // It is created; what has happened to it since is an update.
            repetition.ofAll(state, patch.merge());
        } else {
            repetition.ofOutdated(state, patch.merge());
        }
        return new Result.Repeated();
    }

    private Result unfinished(HandlingState state, List<RegisteredHandler> selected, boolean held) {
        Duration delay = state.delay(selected, platform.now()).orElse(Duration.ZERO);
        Duration grace = handling.runner().settings().interruptGrace();
        return new Result.Unfinished(held && delay.compareTo(grace) < 0 ? grace : delay);
    }

    private Result nothingToDo(HandlingState state) {
        Repetition repetition = repetition(state);
        if (repetition != null) {
            return repeat(repetition, state);
        }
        storeEssence();
        return new Result.Done();
    }

    private void storeEssence() {
        handling.remember(checkpoint.subject(), occasion.cause(), patch.merge());
    }
}
