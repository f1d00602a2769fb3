package dev.kopf4j.engine.processing;

import dev.kopf4j.client.error.ApiException;
import dev.kopf4j.engine.cause.DeletionState;
import dev.kopf4j.engine.cause.ResourceVersions;
import dev.kopf4j.engine.handling.context.ResourceObject;
import dev.kopf4j.engine.patching.PatchResult;
import dev.kopf4j.object.PatchContent;
import dev.kopf4j.object.PatchTransformation;
import dev.kopf4j.runtime.Deadline;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * What one cycle has to send: collected while it runs, sent at its end, kept for the next one where it could not be
 * sent. Knows the newest state of the object, and when the next cycle is due. Confined.
 */
final class CyclePatch {
    private final ResourceProcessing processing;
    private final ObjectMemory slot;
    private final ResourceObject resourceObject;
    private final PatchContent patch;
    private final boolean carriedOver;
    private final @Nullable ObjectNode newer;
    private ObjectNode newest;
    private @Nullable Deadline wakeUp;
    private @Nullable PatchTransformation finalizerChange;

    CyclePatch(ResourceProcessing serving, ObjectMemory slot, ResourceObject resourceObject) {
        this.processing = serving;
        this.slot = slot;
        this.resourceObject = resourceObject;
        this.patch = slot.takeUnsentPatch();
        this.carriedOver = !patch.isEmpty();
        this.newer = newerThan(resourceObject.node());
        this.newest = newer == null ? resourceObject.node() : newer;
    }

    /** The state that was kept, if it is newer than the one that has come. */
    private @Nullable ObjectNode newerThan(ObjectNode body) {
        String kept = slot.rememberedVersion();
        boolean isNewer = kept != null
                && ResourceVersions.areNumbers(ResourceVersions.of(body), kept)
                && !ResourceVersions.isAtLeast(ResourceVersions.of(body), kept);
        return isNewer ? slot.rememberedBody() : null;
    }

    /** Everything to be sent. */
    PatchContent patch() {
        return patch;
    }

    /** True if an earlier cycle has left something to be sent. */
    boolean hasUnsentFromBefore() {
        return carriedOver;
    }

    /** True if a state was kept that is newer than the one that has come. */
    boolean knowsNewer() {
        return newer != null;
    }

    /** The newest state known. */
    ObjectNode newest() {
        return newest;
    }

    /** True if the next cycle is due at some moment. */
    boolean isUnfinished() {
        return wakeUp != null;
    }

    /** The next cycle is due at that moment, unless an event comes first. */
    void wakeAt(Deadline moment) {
        wakeUp = moment;
    }

    /** The next cycle is due after that time, unless an event comes first. */
    void wakeAfter(Duration delay) {
        wakeAt(processing.platform().after(delay));
    }

    /** Adds what puts the finalizer on or takes it off; it is decided anew rather than carried over. */
    void changeFinalizer(PatchTransformation patchTransformation) {
        finalizerChange = patchTransformation;
        patch.transform(patchTransformation);
    }

    /** Lets the object go: the finalizer is taken off in one request with the progress. */
    void removeFinalizer() {
        // Between two requests a crash would forget what has succeeded, and keep the object.
        processing.environment().frameworkPatch().moveIntoTransformation(patch);
        patch.transform(
                PatchTransformation.frameworkPatch(processing.environment().finalizer()::removeFrom));
    }

    /** Sends a part before the end of the cycle; returns the state after it, null if the object has gone. */
    @Nullable ObjectNode checkpoint(PatchContent part) throws InterruptedException {
        PatchResult patchResult = deliver(resourceObject.with(newest), part);
        take(patchResult);
        return patchResult instanceof PatchResult.Gone ? null : newest;
    }

    /** Sends what was collected; true if there was anything to be sent. */
    boolean send() throws InterruptedException {
        if (!patch.merge().isEmpty()) {
            // An older Python operator may have left its mark for waking up.
            processing.environment().changes().progress().touch(newest, patch.merge(), null);
        }
        PatchResult patchResult = deliver(resourceObject.with(newest), patch);
        take(patchResult);
        return !(patchResult instanceof PatchResult.NothingToSend);
    }

    /** What the server says of the object now is the newest state; what has to be sent is left to the next cycle. */
    void refresh() throws InterruptedException {
        slot.patchConflicted = false;
        switch (processing.environment().sender().refresh(resourceObject)) {
            case PatchResult.Applied(var answered, var _)
            when answered != null -> {
                processing.consistencyCheck().acceptAsNewest(slot, ResourceVersions.of(answered));
                newest = answered;
            }
            case PatchResult.Invalid(var refusal) -> throw refusal;
            case PatchResult.Gone(), PatchResult.NothingToSend(), PatchResult.Applied _ -> awaitDeletedEvent();
        }
        slot.addUnsentPatch(patch);
        wakeAfter(Duration.ZERO);
    }

    /** Leaves to the next cycle what could not be sent. */
    void postpone() {
        keepUnsent(patch);
    }

    /** What becomes of the object until its next event. */
    CycleResult result() {
        if (wakeUp == null) {
            return slot.expectedUntil.isNever() && newer == null
                    ? new CycleResult.Idle()
                    : new CycleResult.AwaitEcho(newest);
        }
        boolean eventComesSooner = !slot.expectedUntil.isNever() && wakeUp.compareTo(slot.expectedUntil) < 0;
        // The event of our own change comes soon, and the cycle begins with it.
        return new CycleResult.WakeUp(eventComesSooner ? slot.expectedUntil : wakeUp, newest);
    }

    /**
     * What handlers want and the server refuses is dropped, loudly; what they have achieved is written all the same.
     */
    private PatchResult deliver(ResourceObject to, PatchContent content) throws InterruptedException {
        OwnChange move = slot.hasSeenStates() ? OwnChange.of(processing, to, content) : null;
        PatchResult patchResult = processing.environment().sender().send(to, content);
        if (move != null && patchResult instanceof PatchResult.Applied(var answered, var _) && answered != null) {
            move.confirm(answered, slot.handling().seenStates());
        }
        if (!(patchResult instanceof PatchResult.Invalid(ApiException refusal))) {
            return patchResult;
        }
        resourceObject
                .localLogger()
                .error(
                        "The server refuses the changes that the handlers have made to this object; they are dropped, and"
                                + " the handlers are not called again for it: {}",
                        refusal.getMessage());
        PatchResult again = processing
                .environment()
                .sender()
                .send(to, processing.environment().frameworkPatch().extractFrom(content));
        if (again instanceof PatchResult.Invalid(ApiException second)) {
            throw second;
        }
        return again;
    }

    private void take(PatchResult patchResult) {
        switch (patchResult) {
            case PatchResult.NothingToSend() -> {}
            case PatchResult.Invalid(var refusal) -> throw refusal;
            case PatchResult.Gone() -> {
                wakeUp = null;
                awaitDeletedEvent();
            }
            case PatchResult.Applied(var answered, var remaining) -> {
                if (answered != null) {
                    takeAnswer(answered);
                }
                keepRemaining(remaining);
            }
        }
    }

    private void takeAnswer(ObjectNode answered) {
        if (processing.handlesChanges()) {
            processing.consistencyCheck().expectVersion(slot, newest, answered);
        }
        newest = answered;
        if (DeletionState.isReleased(answered)) {
            awaitDeletedEvent();
        }
    }

    /** Only its DELETED event counts from now on. */
    private void awaitDeletedEvent() {
        slot.awaitsDeletedEvent = true;
        slot.rememberVersion(slot.newestVersion);
    }

    /** What could not be sent is tried again with the next event, or after a while if none comes. */
    private void keepRemaining(PatchContent remaining) {
        slot.patchConflicted = !remaining.isEmpty();
        if (remaining.isEmpty()) {
            slot.conflictsInRow = 0;
            return;
        }
        Deadline again = processing.platform().after(processing.errorDelays().ofConflict(slot.conflictsInRow++));
        wakeUp = wakeUp == null ? again : wakeUp.orEarlier(again);
        keepUnsent(remaining);
    }

    private void keepUnsent(PatchContent unsent) {
        if (finalizerChange != null) {
            unsent.remove(finalizerChange);
        }
        slot.addUnsentPatch(unsent);
    }
}
