package dev.kopf4j.engine.processing;

import dev.kopf4j.Reason;
import dev.kopf4j.engine.cause.Cause;
import dev.kopf4j.engine.cause.Change;
import dev.kopf4j.engine.handling.change.ChangeCycle;
import dev.kopf4j.engine.handling.change.ChangeCycleResult;
import dev.kopf4j.engine.handling.change.FollowingCycleCheck;
import dev.kopf4j.engine.handling.context.ResourceObject;
import dev.kopf4j.engine.handling.rerun.UndoneChange;
import dev.kopf4j.hierarchy.ObjectEvent;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Runs the change handlers for the cause, or only takes note of what happened. Confined. */
final class CauseProcessing {
    private final ResourceProcessing processing;
    private final ObjectMemory memory;
    private final ResourceObject object;
    private final CyclePatch cyclePatch;
    private final NextCycle nextCycle;
    private final CycleDaemons cycleDaemons;
    private final ObjectAssessor assessor;
    private @Nullable ObjectNode handledEssence;

    CauseProcessing(
            ResourceProcessing processing,
            ObjectMemory memory,
            ResourceObject object,
            CyclePatch cyclePatch,
            NextCycle nextCycle,
            CycleDaemons cycleDaemons,
            ObjectAssessor assessor) {
        this.processing = processing;
        this.memory = memory;
        this.object = object;
        this.cyclePatch = cyclePatch;
        this.nextCycle = nextCycle;
        this.cycleDaemons = cycleDaemons;
        this.assessor = assessor;
    }

    /** The essence of the object when all its handlers have ended; null if they have not. */
    @Nullable ObjectNode handledEssence() {
        return handledEssence;
    }

    /** Handles the cause; returns true if something is left to do later. */
    boolean process(Cause cause) throws InterruptedException {
        return switch (cause) {
            case Cause.Informational(var reason, var change) -> takeNote(reason, change);
            case Cause.Handleable handleable -> handle(handleable);
        };
    }

    private boolean handle(Cause.Handleable cause) throws InterruptedException {
        String refusal = processing.changes().refusal(object, cause);
        if (refusal != null) {
            refuse(refusal);
            return false;
        }
        memory.accepted();
        boolean changed = !cause.change().diff().isEmpty();
        cycleDaemons.changeIsHandled(changed);
        ChangeCycleResult result = runHandlers(cause, changed);
        cycleDaemons.changeIsHandled(changed);
        return switch (result) {
            case ChangeCycleResult.HeldByDaemons() -> true;
            case ChangeCycleResult.Done(ObjectNode essence) -> {
                memory.handled();
                handledEssence = essence;
                yield false;
            }
            case ChangeCycleResult.Unfinished(Duration delay) -> continueAfter(delay);
            case ChangeCycleResult.RerunNeeded() -> {
                // The handlers know now that the operator has started: they are not called for that again.
                memory.handled();
                yield continueAfter(Duration.ZERO);
            }
            case ChangeCycleResult.ChangedMeanwhile() -> continueAfter(Duration.ZERO);
        };
    }

    private ChangeCycleResult runHandlers(Cause.Handleable cause, boolean changed) throws InterruptedException {
        // The object stays until its daemons and children have ended, so the record of what has succeeded must stay,
        // too.
        boolean held = cause.reason() == Reason.DELETE
                && (cycleDaemons.isRunning() || new CycleChildren(processing, memory).holdDeletion(object));
        ChangeCycle cycle = new ChangeCycle(
                processing.changes().handling(),
                processing.handlers(),
                object,
                cause,
                held,
                cyclePatch.patch(),
                memory.handling(),
                cyclePatch::checkpoint,
                new Following(changed));
        return cycle.run();
    }

    /** Tells whether the change handlers could go on within this cycle. */
    private final class Following implements FollowingCycleCheck {
        private final boolean changed;

        Following(boolean changed) {
            this.changed = changed;
        }

        @Override
        public boolean beginsWithHandlers(ResourceObject state, Cause cause) {
            return cycleDaemons.areThoseOf(state)
                    && assessor.finalizerOf(new ObjectAssessment(state, cause, true))
                            == ObjectAssessor.FinalizerState.AS_NEEDED;
        }

        @Override
        public void begins() {
            cycleDaemons.changeIsHandled(changed);
        }
    }

    private boolean continueAfter(Duration delay) {
        nextCycle.wakeAfter(delay);
        return true;
    }

    /** Reports only once that the object is not handled, as this is found out again with each of its events. */
    private void refuse(String why) {
        if (memory.reportsRefusal()) {
            object.localLogger().error("The object is not handled, no handler is called for it. {}", why);
            ObjectEvent event = ObjectEvent.warning(object.reference(), "NotHandled", why);
            processing.post(event);
        }
    }

    private boolean takeNote(Reason reason, Change change) {
        switch (reason) {
            case GONE -> object.localLogger().debug("Deleted, really deleted, and we are notified.");
            case FREE -> object.localLogger().debug("Deletion, but we are done with it, and we do not care.");
            default -> {
                object.localLogger()
                        .debug("Something has changed, but we are not interested (the essence is the same).");
                return cleanUp(change);
            }
        }
        return false;
    }

    /** Nothing has changed that matters, or the change was undone before its handlers had ended. */
    private boolean cleanUp(Change change) {
        UndoneChange undone = processing.changes().undoneChange(object);
        Set<String> subHandlers = memory.knownSubHandlers();
        if (memory.hasSeenStates()
                && undone.rerunHandlers(change, memory.handling().seenStates(), subHandlers, cyclePatch.patch())) {
            return continueAfter(Duration.ZERO);
        }
        // Otherwise the next change would look as if some handlers had succeeded with it already.
        undone.dropProgress(subHandlers, cyclePatch.patch());
        return false;
    }
}
