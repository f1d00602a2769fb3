package dev.kopf4j.engine.processing;

import dev.kopf4j.engine.cause.DeletionState;
import dev.kopf4j.engine.cause.ResourceVersions;
import dev.kopf4j.engine.handling.context.ResourceObject;
import dev.kopf4j.engine.patching.PatchResult;
import dev.kopf4j.object.PatchContent;
import dev.kopf4j.object.PatchTransformation;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Everything that one cycle wants to write: collected while the cycle runs, sent at its end, and kept for the next
 * cycle where it could not be sent. Confined.
 */
final class CyclePatch {
    private static final Duration STREAM_IS_READ_AGAIN_WITHIN = Duration.ofSeconds(5);

    private final ResourceProcessing processing;
    private final ObjectMemory memory;
    private final ResourceObject resourceObject;
    private final NextCycle nextCycle;
    private final PatchContent patch;
    private final boolean unsentFromBefore;
    private @Nullable PatchTransformation finalizerChange;

    CyclePatch(ResourceProcessing processing, ObjectMemory memory, ResourceObject resourceObject, NextCycle nextCycle) {
        this.processing = processing;
        this.memory = memory;
        this.resourceObject = resourceObject;
        this.nextCycle = nextCycle;
        UnsentPatch unsent = memory.unsentPatchOrNull();
        this.patch = unsent == null ? new PatchContent() : unsent.take();
        this.unsentFromBefore = !patch.isEmpty();
    }

    /** Everything to send. */
    PatchContent patch() {
        return patch;
    }

    /** True if an earlier cycle has left something to send. */
    boolean hasUnsentFromBefore() {
        return unsentFromBefore;
    }

    /** Adds or removes the finalizer. This part is never kept for the next cycle, which decides again. */
    void changeFinalizer(PatchTransformation patchTransformation) {
        finalizerChange = patchTransformation;
        patch.transform(patchTransformation);
    }

    /** Removes the finalizer in one request with the progress. */
    void removeFinalizer() {
        // Between two requests a crash would forget what has succeeded, and keep the object.
        processing.frameworkPatch().moveIntoTransformation(patch);
        patch.transform(PatchTransformation.frameworkPatch(processing.finalizer()::removeFrom));
    }

    /**
     * Sends a part before the end of the cycle; returns the state after it, null if the object has gone, or if not all
     * of it could be sent.
     */
    @Nullable ObjectNode checkpoint(PatchContent part) throws InterruptedException {
        return switch (deliver(part)) {
            case PatchResult.Gone() -> null;
            case PatchResult.Applied(var _, PatchContent remaining) when !remaining.isEmpty() -> null;
            case PatchResult.Applied _, PatchResult.NothingToSend _, PatchResult.Invalid _ -> nextCycle.newest();
        };
    }

    /** Sends everything; true if there was anything to send. */
    boolean send() throws InterruptedException {
        if (!patch.merge().isEmpty()) {
            // An older Python operator may have left the annotation by which it wakes itself up.
            processing.changes().removeTouch(nextCycle.newest(), patch.merge());
        }
        return !(deliver(patch) instanceof PatchResult.NothingToSend);
    }

    /** The newest state has to be asked for before anything is sent. */
    void needRefresh() {
        memory.unsentPatch().needRefresh(true);
    }

    /** True if an earlier cycle has found that the newest state has to be asked for. */
    boolean isRefreshNeeded() {
        UnsentPatch unsent = memory.unsentPatchOrNull();
        return unsent != null && unsent.isRefreshNeeded();
    }

    /** Asks for the newest state; the next cycle goes on with it at once, and sends what is left to send. */
    void refresh() throws InterruptedException {
        memory.unsentPatch().needRefresh(false);
        switch (processing.cyclePatchSender().refresh(resourceObject)) {
            case PatchResult.Applied(var answered, var _)
            when answered != null -> {
                processing.consistencyCheck().acceptAsNewest(memory, ResourceVersions.of(answered));
                nextCycle.goOnWith(answered);
            }
            case PatchResult.Invalid(var refusal) -> throw refusal;
            case PatchResult.Gone(), PatchResult.NothingToSend(), PatchResult.Applied _ ->
                processing.consistencyCheck().awaitDeletedEvent(memory);
        }
        memory.unsentPatch().add(patch);
        nextCycle.wakeAfter(Duration.ZERO);
    }

    /** The newest state comes by itself as soon as the stream is read again: it is only asked for if it does not. */
    void refreshLater() {
        postpone();
        nextCycle.wakeAfter(STREAM_IS_READ_AGAIN_WITHIN);
    }

    /** Keeps for the next cycle what could not be sent. */
    void postpone() {
        keep(patch);
    }

    private PatchResult deliver(PatchContent content) throws InterruptedException {
        ResourceObject newest = resourceObject.with(nextCycle.newest());
        OwnChange change = memory.hasSeenStates() ? OwnChange.of(processing, newest, content) : null;
        PatchResult result = processing.cyclePatchSender().send(newest, content);
        switch (result) {
            case PatchResult.NothingToSend() -> {}
            case PatchResult.Invalid(var refusal) -> throw refusal;
            case PatchResult.Gone() -> {
                nextCycle.cancel();
                processing.consistencyCheck().awaitDeletedEvent(memory);
            }
            case PatchResult.Applied(var answered, var remaining) -> {
                if (answered != null) {
                    take(answered, change);
                }
                keepRemaining(remaining);
            }
        }
        return result;
    }

    private void take(ObjectNode answered, @Nullable OwnChange change) {
        if (change != null) {
            change.confirm(answered, memory.handling().seenStates());
        }
        if (processing.handlesChanges()) {
            processing.consistencyCheck().expectVersion(memory, nextCycle.newest(), answered);
        }
        nextCycle.goOnWith(answered);
        if (DeletionState.isReleased(answered)) {
            processing.consistencyCheck().awaitDeletedEvent(memory);
        }
    }

    /** What could not be sent is tried again with the next event, or after a while if none comes. */
    private void keepRemaining(PatchContent remaining) {
        if (remaining.isEmpty()) {
            memory.forgetConflicts();
            return;
        }
        UnsentPatch unsent = memory.unsentPatch();
        unsent.needRefresh(true);
        int earlier = unsent.countConflict();
        Duration pause = processing.throttling().delayAfterConflict(earlier);
        if (earlier == 0) {
            nextCycle.wakeWithin(pause);
        } else {
            // Whatever is due before, it waits for this to be sent: without the pause, both would be tried in haste.
            nextCycle.wakeAfter(pause);
        }
        keep(remaining);
    }

    private void keep(PatchContent unsent) {
        if (finalizerChange != null) {
            unsent.remove(finalizerChange);
        }
        if (!unsent.isEmpty()) {
            memory.unsentPatch().add(unsent);
        }
    }
}
