package dev.kopf4j.engine.processing;

import dev.kopf4j.Reason;
import dev.kopf4j.engine.cause.Change;
import dev.kopf4j.engine.cause.ResourceVersions;
import dev.kopf4j.engine.handling.context.ResourceObject;
import dev.kopf4j.object.PatchTransformation;
import java.time.Duration;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/**
 * One cycle of one object after its indexing, in this order: event handlers, cause, consistency, finalizer, daemons and
 * timers, change handlers, and one patch at the end. Confined.
 */
final class ProcessingCycle {
    private final ResourceProcessing processing;
    private final ObjectMemory memory;
    private final ResourceObject object;
    private final CycleTrigger trigger;
    private final CyclePatch cyclePatch;
    private final NextCycle nextCycle;
    private final CycleDaemons cycleDaemons;
    private final CycleChildren cycleChildren;
    private final ObjectAssessor assessor;
    private final CauseProcessing causeProcessing;
    private boolean handled;

    ProcessingCycle(
            ResourceProcessing processing,
            ObjectMemory memory,
            ResourceObject object,
            CycleTrigger trigger,
            CyclePatch cyclePatch,
            NextCycle nextCycle) {
        this.processing = processing;
        this.memory = memory;
        this.object = object;
        this.trigger = trigger;
        this.cyclePatch = cyclePatch;
        this.nextCycle = nextCycle;
        this.cycleDaemons = new CycleDaemons(processing, memory, object);
        this.cycleChildren = new CycleChildren(processing, memory);
        this.assessor = new ObjectAssessor(processing, memory.isInitial(), cycleDaemons, cycleChildren);
        this.causeProcessing =
                new CauseProcessing(processing, memory, object, cyclePatch, nextCycle, cycleDaemons, assessor);
    }

    CycleResult run() throws InterruptedException {
        if (trigger instanceof CycleTrigger.WakeUp && cyclePatch.isRefreshNeeded()) {
            // The unsent patch met a newer state: the next cycle begins with the object as the server has it.
            if (memory.stream().isHeldUp()) {
                cyclePatch.refreshLater();
            } else {
                cyclePatch.refresh();
            }
            return nextCycle.result();
        }
        callEventHandlers();
        if (processing.handlesChanges() && !trigger.outdated()) {
            processChange();
        }
        if (trigger.isGone()) {
            memory.objectGone(processing.environment().operatorMemos());
            return new CycleResult.Forget();
        }
        sendPatch();
        memory.forgetHandlingIfEmpty();
        return skipsEcho() ? nextCycle.idle() : nextCycle.result();
    }

    private void callEventHandlers() throws InterruptedException {
        if (trigger instanceof CycleTrigger.Event(var event, var _, var _)) {
            processing
                    .environment()
                    .events()
                    .call(processing.handlers().events(), object.local(), event, cyclePatch.patch());
        }
    }

    private void processChange() throws InterruptedException {
        boolean gone = trigger.isGone();
        if (processing.consistencyCheck().isDeletedEventAwaited(memory) && !gone) {
            return;
        }
        cycleDaemons.stopIfDeleted();
        ObjectAssessment assessment = assessor.assess(object, gone, change());
        if (!gone && !mayHandle(assessment)) {
            return;
        }
        if (assessment.concerned()) {
            handle(assessment);
        }
        if (!gone && !cyclePatch.hasUnsentFromBefore()) {
            cycleChildren.handle(object.with(nextCycle.newest()), cyclePatch, nextCycle);
        }
    }

    /** The change since the object was last handled, or since the state that its handlers have seen. */
    private Change change() {
        return memory.sinceSeenState(processing.changes().change(object.node()));
    }

    /** True if the state is the newest one, and has the finalizer as it should; its daemons run then. */
    private boolean mayHandle(ObjectAssessment assessment) throws InterruptedException {
        if (mustWait(assessment)) {
            return false;
        }
        cycleDaemons.stopMismatching();
        if (changesFinalizer(assessment)) {
            return false;
        }
        cycleDaemons.startMatching();
        return true;
    }

    /** True if a newer state is known, and has to be seen first. */
    private boolean mustWait(ObjectAssessment assessment) {
        boolean concerned = assessment.concerned() || cycleDaemons.anyRunningOrWanted() || cycleChildren.areDisturbed();
        ConsistencyCheck.Freshness freshness =
                processing.consistencyCheck().freshnessOf(memory, object.node(), trigger instanceof CycleTrigger.Event);
        if (freshness == ConsistencyCheck.Freshness.NEWEST) {
            return false;
        }
        boolean newer = nextCycle.knowsNewer();
        if (newer || concerned || processing.finalizer().isOn(object.node())) {
            if (!newer && freshness == ConsistencyCheck.Freshness.OVERDUE) {
                cyclePatch.needRefresh();
            }
            nextCycle.wakeAt(processing.consistencyCheck().expectedUntil(memory));
        }
        return true;
    }

    /** True if the finalizer has to be added or removed: everything else waits for the next cycle. */
    private boolean changesFinalizer(ObjectAssessment assessment) {
        Optional<PatchTransformation> change =
                new FinalizerDecision(assessor, processing.finalizer()).neededChange(assessment);
        change.ifPresent(cyclePatch::changeFinalizer);
        return change.isPresent();
    }

    private void handle(ObjectAssessment assessment) throws InterruptedException {
        Reason reason = assessment.cause().reason();
        if (reason != Reason.GONE && cyclePatch.hasUnsentFromBefore()) {
            // The patch that an earlier cycle has left is written first.
            nextCycle.wakeAfter(Duration.ZERO);
            return;
        }
        handled = true;
        boolean unfinished = causeProcessing.process(assessment.cause());
        if (!unfinished && reason == Reason.DELETE && !cycleChildren.holdDeletion(object)) {
            object.localLogger().debug("Removing the finalizer, thus allowing the actual deletion.");
            cyclePatch.removeFinalizer();
        }
    }

    private void sendPatch() throws InterruptedException {
        boolean sent = cyclePatch.send();
        if (handled && !sent && !nextCycle.isDue()) {
            object.localLogger().debug("Handling cycle is finished, waiting for new changes.");
        }
    }

    /** True if the event of the operator's own change need not be looked at when it comes. */
    private boolean skipsEcho() {
        ObjectNode handledEssence = causeProcessing.handledEssence();
        if (handledEssence == null || !nextCycle.awaitsEcho()) {
            return false;
        }
        ObjectNode newest = nextCycle.newest();
        boolean skips = new WorkAfterOwnChange(processing, memory)
                .isNone(object.with(newest), handledEssence, cyclePatch.patch().merge());
        if (skips) {
            processing.ownChangeEcho().expect(memory, ResourceVersions.of(newest));
        }
        return skips;
    }
}
