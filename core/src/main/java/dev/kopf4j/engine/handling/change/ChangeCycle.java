package dev.kopf4j.engine.handling.change;

import dev.kopf4j.Reason;
import dev.kopf4j.engine.cause.Cause;
import dev.kopf4j.engine.handling.context.InvocationCause;
import dev.kopf4j.engine.handling.context.ResourceObject;
import dev.kopf4j.engine.handling.progress.ProgressState;
import dev.kopf4j.engine.handling.progress.SupersededHandling;
import dev.kopf4j.engine.handling.registry.RegisteredHandler;
import dev.kopf4j.engine.handling.registry.ResourceHandlers;
import dev.kopf4j.engine.handling.rerun.OutdatedHandlerRerun;
import dev.kopf4j.engine.handling.selection.HandlerSelection;
import dev.kopf4j.object.PatchContent;
import dev.kopf4j.runtime.Platform;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One cycle of handling a change: selects the handlers of the cause, calls those that are due, remembers their
 * outcomes, and leaves in the patch what is written at the end. Confined to the object's worker; used once.
 */
public final class ChangeCycle {
    private final ChangeHandling handling;
    private final ResourceHandlers handlers;
    private final InvocationCause.Changing cause;
    private final boolean held;
    private final PatchContent patch;
    private final HandlingMemory memory;
    private final ProgressCheckpoint checkpoint;
    private final FollowingCycle followingCycle;
    private final Platform platform;
    private final ChangeCycleLog log;

    /**
     * A cycle.
     *
     * @param held true if daemons hold the object after all handlers have ended: then the progress stays on the object
     * @param patch takes what is to be written
     * @param memory what is remembered from earlier cycles, and for later ones
     * @param checkpointWriter writes the patch in the middle of the cycle
     * @param followingCycleCheck tells whether another cycle would have something else to do first
     */
    public ChangeCycle(
            ChangeHandling handling,
            ResourceHandlers handlers,
            ResourceObject object,
            Cause.Handleable cause,
            boolean held,
            PatchContent patch,
            HandlingMemory memory,
            CheckpointWriter checkpointWriter,
            FollowingCycleCheck followingCycleCheck) {
        this.handling = handling;
        this.handlers = handlers;
        this.cause = new InvocationCause.Changing(cause);
        this.held = held;
        this.patch = patch;
        this.memory = memory;
        this.checkpoint = new ProgressCheckpoint(
                handling, handlers.fields(), object, cause, patch, memory.seenStates(), checkpointWriter);
        this.followingCycle = new FollowingCycle(handling, handlers, memory.seenStates(), followingCycleCheck);
        this.platform = handling.platform();
        this.log = new ChangeCycleLog(object.logger(), cause.reason());
    }

    /**
     * Runs the cycle.
     *
     * @throws InterruptedException if the operator stops
     */
    public ChangeCycleResult run() throws InterruptedException {
        List<RegisteredHandler> selected =
                HandlerSelection.forChange(handlers.changes(), checkpoint.stored(), cause, handling.contexts());
        ProgressState progress = progress(selected);
        memory.seenStates().begin(cause.change());
        log.inProgress(checkpoint.stored(), cause.change());
        if (selected.isEmpty()) {
            return held ? new ChangeCycleResult.HeldByDaemons() : concludeWithoutCalls(progress);
        }
        ChangeHandlerCalls calls = call(selected, progress);
        checkpoint.finish(progress);
        if (progress.isDone() && !held && canBeConcluded()) {
            ChangeCycleResult concluded = conclude(progress, calls.present().cause());
            return checkpoint.isOvertaken() ? new ChangeCycleResult.RerunNeeded() : concluded;
        }
        checkpoint.noteSeenState(progress);
        progress.store(checkpoint.stored().node(), patch.merge());
        progress.flush();
        if (progress.isDone() && held) {
            return new ChangeCycleResult.HeldByDaemons();
        }
        return checkpoint.isOvertaken() ? new ChangeCycleResult.ChangedMeanwhile() : unfinished(progress, calls);
    }

    private ProgressState progress(List<RegisteredHandler> selected) {
        ResourceObject object = checkpoint.stored();
        ProgressState progress = ProgressState.load(
                handling.progress(), cause.reason(), handlers.changes(), memory.subHandlerIds(), object.node());
        memory.savedCalls().keySet().removeIf(id -> !progress.hasBegun(id));
        progress.activate(selected, platform.now());
        List<SupersededHandling> others = progress.superseded();
        if (!others.isEmpty()) {
            others.forEach(log::superseded);
            progress.repurpose(selected);
            if (!progress.superseded().isEmpty()) {
                progress.purgeOthers(object.node(), patch.merge());
            }
        }
        return progress;
    }

    private ChangeHandlerCalls call(List<RegisteredHandler> selected, ProgressState progress)
            throws InterruptedException {
        ChangeCycleState cycle = new ChangeCycleState(handling, progress, checkpoint, memory);
        CycleStart start = new CycleStart(checkpoint.stored(), cause, selected, 0);
        ChangeHandlerCalls calls = new ChangeHandlerCalls(cycle, new CycleSequence(cycle, followingCycle, start));
        if (selected.size() == 1) {
            calls.make();
        } else {
            handling.runner().objectTurns().during(calls::make);
        }
        return calls;
    }

    private ChangeCycleResult unfinished(ProgressState progress, ChangeHandlerCalls calls) {
        if (calls.mustEnd()) {
            return new ChangeCycleResult.Unfinished(Duration.ZERO);
        }
        Duration delay =
                progress.delay(calls.present().selected(), platform.now()).orElse(Duration.ZERO);
        Duration grace = handling.runner().interruptGrace();
        return new ChangeCycleResult.Unfinished(calls.areHeld() && delay.compareTo(grace) < 0 ? grace : delay);
    }

    /**
     * If somebody has changed the object meanwhile, it counts as handled in the state that the handlers have seen, at
     * once: with their records alone, a process that is started anew would take the rest for handled. A deletion waits
     * for the next cycle, as its records go with the finalizer.
     */
    private boolean canBeConcluded() {
        return !checkpoint.isOvertaken() || (checkpoint.isStateKnown() && cause.reason() != Reason.DELETE);
    }

    /** All handlers have ended. No progress has to be written, only the mark of this operator. */
    private ChangeCycleResult conclude(ProgressState progress, InvocationCause.Changing last) {
        log.processed(progress);
        handling.progress().mark(checkpoint.stored().node(), patch.merge());
        OutdatedHandlerRerun rerun = neededRerun(progress);
        if (rerun != null) {
            return rerun(rerun, progress);
        }
        memory.seenStates().clear();
        progress.purge(checkpoint.withDoubtfulWrites().node(), patch.merge());
        return handled(last);
    }

    private ChangeCycleResult concludeWithoutCalls(ProgressState progress) {
        OutdatedHandlerRerun rerun = neededRerun(progress);
        return rerun == null ? handled(cause) : rerun(rerun, progress);
    }

    private ChangeCycleResult handled(InvocationCause.Changing last) {
        handling.lastHandled().storeHandled(checkpoint.stored(), last.cause(), patch.merge());
        return new ChangeCycleResult.Done(last.change().newEssence());
    }

    /** Deletion handlers are never called again: they do not depend on the state. */
    private @Nullable OutdatedHandlerRerun neededRerun(ProgressState progress) {
        if (memory.seenStates().isEmpty() || cause.reason() == Reason.DELETE) {
            return null;
        }
        checkpoint.noteSeenState(progress);
        return OutdatedHandlerRerun.of(
                handling.lastHandled(),
                handlers.changes(),
                checkpoint.stored(),
                checkpoint.change(),
                memory.seenStates());
    }

    private ChangeCycleResult rerun(OutdatedHandlerRerun rerun, ProgressState progress) {
        log.rerun(rerun.outdated());
        if (cause.reason() == Reason.CREATE) {
            // The creation is handled; what has happened to the object since then is an update.
            rerun.rerunAll(progress, patch.merge());
        } else {
            rerun.rerunOutdated(progress, patch.merge());
        }
        return new ChangeCycleResult.RerunNeeded();
    }
}
