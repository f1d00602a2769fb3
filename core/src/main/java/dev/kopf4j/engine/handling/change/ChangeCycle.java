package dev.kopf4j.engine.handling.change;

import dev.kopf4j.Reason;
import dev.kopf4j.engine.handling.context.InvocationCause;
import dev.kopf4j.engine.handling.context.ResourceObject;
import dev.kopf4j.engine.handling.progress.ProgressState;
import dev.kopf4j.engine.handling.registry.RegisteredHandler;
import dev.kopf4j.engine.handling.registry.ResourceHandlers;
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
    private final InvocationCause.Changing occasion;
    private final boolean held;
    private final PatchContent patch;
    private final HandlingMemory memory;
    private final ProgressCheckpoint checkpoint;
    private final Platform platform;
    private final ChangeCycleLog log;

    ChangeCycle(
            ChangeHandling handling,
            ResourceHandlers handlers,
            ResourceObject resourceObject,
            InvocationCause.Changing occasion,
            boolean held,
            PatchContent patch,
            HandlingMemory memory,
            CheckpointWriter checkpointWriter) {
        this.handling = handling;
        this.handlers = handlers;
        this.occasion = occasion;
        this.held = held;
        this.patch = patch;
        this.memory = memory;
        this.checkpoint = new ProgressCheckpoint(
                handling, handlers, resourceObject, occasion.cause(), patch, memory.seenStates(), checkpointWriter);
        this.platform = handling.runner().platform();
        this.log = new ChangeCycleLog(resourceObject.logger(), occasion.reason());
    }

    /** What is left after a cycle. */
    public sealed interface Result {
        /** Nothing: all handlers have succeeded or failed for good. */
        record Done() implements Result {}

        /** Nothing, but the object is held for other reasons: a later cycle finishes it. */
        record HeldByDaemons() implements Result {}

        /** Handlers to be called after the delay; zero for at once. */
        record Unfinished(Duration delay) implements Result {}

        /**
         * All have come to their ends, and the rest of the change is the next one: another cycle has to begin with it.
         */
        record RerunNeeded() implements Result {}

        /** The object has changed meanwhile: another cycle has to begin with its new state. */
        record ChangedMeanwhile() implements Result {}
    }

    /**
     * Runs the cycle.
     *
     * @throws InterruptedException if the operator stops
     */
    public Result run() throws InterruptedException {
        List<RegisteredHandler> selected = HandlerSelection.forChange(
                handlers.changes(), checkpoint.resourceObject(), occasion, handling.contexts());
        ProgressState state = state(selected);
        memory.seenStates().begin(occasion.change());
        log.inProgress(checkpoint.resourceObject(), occasion.change());
        if (selected.isEmpty()) {
            return held ? new Result.HeldByDaemons() : nothingToDo(state);
        }
        ChangeHandlerCalls calls = new ChangeHandlerCalls(handling, state, checkpoint, memory.orphanedCalls());
        if (selected.size() == 1) {
            calls.call(selected, List.of(), occasion);
        } else {
            handling.runner().objectTurns().during(() -> calls.call(selected, List.of(), occasion));
        }
        if (state.isDone() && !held && !checkpoint.isOvertaken()) {
            return done(state);
        }
        checkpoint.noteSightings(state);
        state.store(checkpoint.resourceObject().node(), patch.merge());
        if (state.isDone() && held) {
            return new Result.HeldByDaemons();
        }
        return checkpoint.isOvertaken() ? new Result.ChangedMeanwhile() : unfinished(state, selected, calls.isHeld());
    }

    private ProgressState state(List<RegisteredHandler> selected) {
        ResourceObject resourceObject = checkpoint.resourceObject();
        ProgressState state = ProgressState.load(
                handling.progress(),
                occasion.reason(),
                handlers.changes(),
                memory.subHandlerIds(),
                resourceObject.node());
        state.activate(selected, platform.now());
        List<ProgressState.Superseded> others = state.superseded();
        if (!others.isEmpty()) {
            others.forEach(log::superseded);
            state.repurpose(selected);
            if (!state.superseded().isEmpty()) {
                state.purgeOthers(resourceObject.node(), patch.merge());
            }
        }
        return state;
    }

    /** Of the progress nothing has to be written: only that this operator was here. */
    private Result done(ProgressState state) {
        log.processed(state);
        handling.progress().mark(checkpoint.resourceObject().node(), patch.merge());
        OutdatedHandlerRerun outdatedHandlerRerun = repetition(state);
        if (outdatedHandlerRerun != null) {
            return repeat(outdatedHandlerRerun, state);
        }
        memory.seenStates().clear();
        state.purge(checkpoint.withDoubtfulWrites().node(), patch.merge());
        storeEssence();
        return new Result.Done();
    }

    /** Deletions are not repeated: they do not depend on the state. */
    private @Nullable OutdatedHandlerRerun repetition(ProgressState state) {
        if (memory.seenStates().isEmpty() || occasion.reason() == Reason.DELETE) {
            return null;
        }
        checkpoint.noteSightings(state);
        return OutdatedHandlerRerun.of(
                handling, handlers.changes(), checkpoint.resourceObject(), occasion.change(), memory.seenStates());
    }

    private Result repeat(OutdatedHandlerRerun outdatedHandlerRerun, ProgressState state) {
        log.repeated(outdatedHandlerRerun.outdated());
        if (occasion.reason() == Reason.CREATE) {
            // It is created; what has happened to it since is an update.
            outdatedHandlerRerun.rerunAll(state, patch.merge());
        } else {
            outdatedHandlerRerun.rerunOutdated(state, patch.merge());
        }
        return new Result.RerunNeeded();
    }

    private Result unfinished(ProgressState state, List<RegisteredHandler> selected, boolean held) {
        Duration delay = state.delay(selected, platform.now()).orElse(Duration.ZERO);
        Duration grace = handling.runner().settings().interruptGrace();
        return new Result.Unfinished(held && delay.compareTo(grace) < 0 ? grace : delay);
    }

    private Result nothingToDo(ProgressState state) {
        OutdatedHandlerRerun outdatedHandlerRerun = repetition(state);
        if (outdatedHandlerRerun != null) {
            return repeat(outdatedHandlerRerun, state);
        }
        storeEssence();
        return new Result.Done();
    }

    private void storeEssence() {
        handling.remember(checkpoint.resourceObject(), occasion.cause(), patch.merge());
    }
}
