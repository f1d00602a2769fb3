package dev.kopf4j.engine.processing;

import dev.kopf4j.Reason;
import dev.kopf4j.engine.cause.Cause;
import dev.kopf4j.engine.cause.Change;
import dev.kopf4j.engine.cause.ResourceVersions;
import dev.kopf4j.engine.handling.change.ChangeCycle;
import dev.kopf4j.engine.handling.change.ChangeHandling;
import dev.kopf4j.engine.handling.context.ResourceObject;
import dev.kopf4j.engine.handling.registry.ResourceHandlers;
import dev.kopf4j.hierarchy.ObjectEvent;
import dev.kopf4j.hierarchy.OwnerIdentity;
import dev.kopf4j.object.PatchTransformation;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The steps of one cycle of one object behind its indexing: event handlers, cause, consistency, finalizer, daemons and
 * timers, change handlers, and one patch at the end. Confined.
 */
final class ProcessingCycle {
    private final ResourceProcessing processing;
    private final ResourceHandlers handlers;
    private final ChangeHandling changes;
    private final ObjectMemory slot;
    private final ResourceObject resourceObject;
    private final CycleTrigger cycleTrigger;
    private final CyclePatch cyclePatch;
    private final CycleDaemons cycleDaemons;
    private boolean matched;
    /** What mattered of the object when its handlers have come to their end; null if they have not. */
    private @Nullable ObjectNode handledEssence;

    ProcessingCycle(
            ResourceProcessing serving,
            ObjectMemory slot,
            ResourceObject resourceObject,
            CycleTrigger cycleTrigger,
            CyclePatch cyclePatch) {
        this.processing = serving;
        this.handlers = serving.handlers();
        this.changes = serving.environment().changes();
        this.slot = slot;
        this.resourceObject = resourceObject;
        this.cycleTrigger = cycleTrigger;
        this.cyclePatch = cyclePatch;
        this.cycleDaemons = new CycleDaemons(serving, slot, resourceObject);
    }

    CycleResult run() throws InterruptedException {
        if (cycleTrigger instanceof CycleTrigger.WakeUp && slot.patchConflicted) {
            // What has to be sent met a newer state: the next cycle begins with what is on the server.
            cyclePatch.refresh();
            return cyclePatch.result();
        }
        if (cycleTrigger instanceof CycleTrigger.Event(var event, var _, var _)) {
            processing
                    .environment()
                    .events()
                    .call(handlers.events(), resourceObject.local(), event, cyclePatch.patch());
        }
        if (processing.handlesChanges() && !cycleTrigger.outdated()) {
            handleChanges();
        }
        if (cycleTrigger.isGone()) {
            return new CycleResult.Forget();
        }
        boolean sent = cyclePatch.send();
        if (matched && !sent && !cyclePatch.isUnfinished()) {
            resourceObject.localLogger().debug("Handling cycle is finished, waiting for new changes.");
        }
        slot.forgetHandlingIfEmpty();
        CycleResult cycleResult = cyclePatch.result();
        if (handledEssence != null
                && cycleResult instanceof CycleResult.AwaitEcho(var state)
                && new OwnChangeEcho(processing, slot)
                        .needsNoCycle(
                                resourceObject.with(state),
                                handledEssence,
                                cyclePatch.patch().merge())) {
            slot.echoVersion = ResourceVersions.of(state);
            return new CycleResult.Idle();
        }
        return cycleResult;
    }

    private void handleChanges() throws InterruptedException {
        if (slot.awaitsDeletedEvent && !cycleTrigger.isGone()) {
            return;
        }
        cycleDaemons.stopIfDeleted();
        Cause cause =
                changes.detector().detect(resourceObject.node(), cycleTrigger.isGone(), slot.isInitial(), change());
        boolean concerned = changes.concernsAny(handlers.changes(), resourceObject, cause);
        if (!cycleTrigger.isGone()) {
            if (mustWait(concerned || cycleDaemons.anyRunningOrWanted())) {
                return;
            }
            cycleDaemons.stopMismatching();
            if (settleFinalizer(concerned, cause)) {
                return;
            }
            cycleDaemons.startMatching();
        }
        if (!concerned) {
            return;
        }
        if (cause.reason() != Reason.GONE && cyclePatch.hasUnsentFromBefore()) {
            // What an earlier cycle has left is written first.
            cyclePatch.wakeAfter(Duration.ZERO);
            return;
        }
        matched = true;
        boolean delayed = handle(cause);
        if (!delayed && cause.reason() == Reason.DELETE) {
            resourceObject.localLogger().debug("Removing the finalizer, thus allowing the actual deletion.");
            cyclePatch.removeFinalizer();
        }
    }

    private Change change() {
        Change found = changes.detector().change(resourceObject.node(), handlers.fields());
        return slot.hasSeenStates() ? slot.handling().seenStates().sinceSeenState(found) : found;
    }

    /** True if a newer state is known, and has to be seen first. */
    private boolean mustWait(boolean concerned) {
        ConsistencyCheck.Freshness freshness = processing.consistencyCheck().freshnessOf(slot, resourceObject.node());
        if (freshness == ConsistencyCheck.Freshness.NEWEST) {
            return false;
        }
        boolean newer = cyclePatch.knowsNewer();
        if (newer || concerned || processing.environment().finalizer().isOn(resourceObject.node())) {
            slot.patchConflicted |= !newer && freshness == ConsistencyCheck.Freshness.OVERDUE;
            cyclePatch.wakeAt(slot.expectedUntil);
        }
        return true;
    }

    /** True if the finalizer has to be put on or taken off: everything else waits for the next cycle. */
    private boolean settleFinalizer(boolean concerned, Cause cause) {
        Optional<PatchTransformation> settling = new FinalizerDecision(processing, slot.isInitial(), cycleDaemons)
                .neededChange(resourceObject, concerned, cause);
        settling.ifPresent(cyclePatch::changeFinalizer);
        return settling.isPresent();
    }

    /** True if something is left to be done later. */
    private boolean handle(Cause cause) throws InterruptedException {
        return switch (cause) {
            case Cause.Informational(var reason, var change) -> inform(reason, change);
            case Cause.Handleable handleable -> handle(handleable);
        };
    }

    private boolean handle(Cause.Handleable cause) throws InterruptedException {
        String refusal = changes.refusal(resourceObject, cause);
        if (refusal != null) {
            refuse(refusal);
            return false;
        }
        slot.refusalReported = false;
        // While daemons end, the object stays, and so does the record of what has succeeded.
        boolean held = cause.reason() == Reason.DELETE && cycleDaemons.isRunning();
        ChangeCycle.Result result = changes.cycle(
                        handlers,
                        resourceObject,
                        cause,
                        held,
                        cyclePatch.patch(),
                        slot.handling(),
                        cyclePatch::checkpoint)
                .run();
        return switch (result) {
            case ChangeCycle.Result.HeldByDaemons() -> true;
            case ChangeCycle.Result.Done() -> {
                slot.handledOnce = true;
                handledEssence = cause.change().newEssence();
                yield false;
            }
            case ChangeCycle.Result.Unfinished(Duration delay) -> {
                cyclePatch.wakeAfter(delay);
                yield true;
            }
            case ChangeCycle.Result.RerunNeeded() -> {
                // Who was told of the start need not hear of it again.
                slot.handledOnce = true;
                cyclePatch.wakeAfter(Duration.ZERO);
                yield true;
            }
            case ChangeCycle.Result.ChangedMeanwhile() -> {
                cyclePatch.wakeAfter(Duration.ZERO);
                yield true;
            }
        };
    }

    /** Once for each object: it is looked at again with each of its events. */
    private void refuse(String why) {
        if (!slot.refusalReported) {
            resourceObject.localLogger().error("The object is not handled, no handler is called for it. {}", why);
            ObjectEvent event = ObjectEvent.warning(OwnerIdentity.of(resourceObject.node()), "NotHandled", why);
            processing.environment().posting().post(event);
        }
        slot.refusalReported = true;
    }

    /** True if something is left to be done later. */
    private boolean inform(Reason reason, Change change) {
        switch (reason) {
            case GONE -> resourceObject.localLogger().debug("Deleted, really deleted, and we are notified.");
            case FREE -> resourceObject.localLogger().debug("Deletion, but we are done with it, and we do not care.");
            default -> {
                resourceObject
                        .localLogger()
                        .debug("Something has changed, but we are not interested (the essence is the same).");
                if (slot.hasSeenStates()
                        && changes.takeBack(handlers, resourceObject, change, slot.handling(), cyclePatch.patch())) {
                    cyclePatch.wakeAfter(Duration.ZERO);
                    return true;
                }
                // Otherwise the next change would look as if some handlers had succeeded with it already.
                changes.dropProgress(handlers, resourceObject, slot.knownSubHandlers(), cyclePatch.patch());
            }
        }
        return false;
    }
}
