package dev.kopf4j.engine.cycle;

import dev.kopf4j.client.error.ApiException;
import dev.kopf4j.engine.call.ResourceObject;
import dev.kopf4j.engine.cause.DeletionState;
import dev.kopf4j.engine.cause.ResourceVersions;
import dev.kopf4j.engine.cycle.PatchSender.PatchResult;
import dev.kopf4j.engine.cycle.PatchSender.StaleVersionException;
import dev.kopf4j.engine.daemon.OperatorDaemons.DaemonPatchWriter;
import dev.kopf4j.json.FieldPath;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonEquality;
import dev.kopf4j.json.MergePatch;
import dev.kopf4j.object.PatchContent;
import dev.kopf4j.object.PatchContent.PatchTransformation;
import java.io.Serial;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Everything that one cycle wants to write: collected while the cycle runs, sent at its end, and kept for the next
 * cycle where it could not be sent. If the server refuses the changes of a handler, they are dropped with an error in
 * the log; those of other handlers and the progress are written all the same. Confined.
 */
final class OutgoingPatch {
    private static final Duration STREAM_IS_READ_AGAIN_WITHIN = Duration.ofSeconds(5);

    private final ObjectCycle cycle;
    private final ObjectProcessor processor;
    private final ObjectMemory memory;
    private final ResourceObject object;
    private final PatchContent content;
    private final boolean unsentFromBefore;
    /** What all parts together were to store in the status, and nowhere else. */
    private final ObjectNode statusPart = Json.object();

    private @Nullable PatchTransformation finalizerChange;

    OutgoingPatch(ObjectCycle cycle) {
        this.cycle = cycle;
        this.processor = cycle.processor();
        this.memory = cycle.memory();
        this.object = cycle.object();
        Unsent unsent = memory.unsentPatchOrNull();
        this.content = unsent == null ? new PatchContent() : unsent.take();
        this.unsentFromBefore = !content.isEmpty();
    }

    /**
     * What the cycles of one object could not send yet, and how often that has failed in a row. Confined to the worker.
     */
    static final class Unsent {
        private PatchContent content = new PatchContent();
        private int conflictsInRow;
        private boolean refreshNeeded;

        boolean isEmpty() {
            return content.isEmpty();
        }

        private PatchContent take() {
            PatchContent taken = content;
            content = new PatchContent();
            return taken;
        }

        /** Something was sent without a conflict. */
        private void forgetConflicts() {
            conflictsInRow = 0;
            refreshNeeded = false;
        }

        /** The object has to be asked for anew before anything is sent. */
        void needRefresh() {
            refreshNeeded = true;
        }
    }

    /** Everything to send. */
    PatchContent content() {
        return content;
    }

    /** True if an earlier cycle has left something to send. */
    boolean hasUnsentFromBefore() {
        return unsentFromBefore;
    }

    /** Adds or removes the finalizer. This part is never kept for the next cycle, which decides again. */
    void changeFinalizer(PatchTransformation change) {
        finalizerChange = change;
        content.transform(change);
    }

    /** Lets the object go, in one request with the progress. */
    void release(PatchTransformation finalizerRemoval) {
        // Between two requests a crash would forget what has succeeded, and keep the object.
        processor.stored().locations().moveIntoTransformation(content);
        content.transform(finalizerRemoval);
    }

    /**
     * Sends a part before the end of the cycle; returns the state after it, null if the object has gone, or if not all
     * of it could be sent.
     */
    @Nullable ObjectNode checkpoint(PatchContent part) throws InterruptedException {
        return switch (deliver(part)) {
            case PatchResult.Gone() -> null;
            case PatchResult.Applied(var _, PatchContent remaining) when !remaining.isEmpty() -> null;
            case PatchResult.Applied _, PatchResult.NothingToSend _, PatchResult.Invalid _ -> cycle.newest();
        };
    }

    /** Sends everything; true if there was anything to send. */
    boolean send() throws InterruptedException {
        if (!content.merge().isEmpty()) {
            // An older Python operator may have left the annotation by which it wakes itself up.
            processor.stored().removeTouch(cycle.newest(), content.merge());
        }
        PatchResult result = deliver(content);
        if (!(result instanceof PatchResult.Gone)) {
            requireStored();
        }
        return !(result instanceof PatchResult.NothingToSend);
    }

    /**
     * Without it, the handlers would be called again and again, as if they never had been: so it is sent again, after a
     * growing pause, before any of them is called. Deletions go on: what holds the object is no state.
     */
    private void requireStored() {
        if (statusPart.isEmpty() || DeletionState.isRequested(cycle.newest())) {
            return;
        }
        List<FieldPath> dropped = processor.stored().dropped(statusPart, cycle.newest());
        if (!dropped.isEmpty()) {
            content.clear();
            content.merge().setAll(statusPart);
            String fields = dropped.stream().map(FieldPath::toString).collect(Collectors.joining(", "));
            throw new StateDroppedException("The server has dropped " + fields + ", where the settings"
                    + " persistence.progressStorage and persistence.diffBaseStorage keep what is known of the object."
                    + " Declare this in the schema of " + processor.resource() + ", as an object with"
                    + " x-kubernetes-preserve-unknown-fields: true, or keep it in annotations.");
        }
    }

    /**
     * The object, as it was read, has no record of what was handled, though it had one in the same version: servers
     * leave out what is stored as soon as the schema has no room for it. Before any handler is called as for a new
     * object, and what is stored is overwritten. Deletions go on.
     */
    void requireRecord() {
        ObjectNode read = cycle.object().node();
        if (!processor.stored().isInStatusOnly()
                || DeletionState.isRequested(read)
                || !processor.consistencyCheck().hadRecord(memory, read)) {
            return;
        }
        throw new StateDroppedException(
                "The server leaves out of the status what is known of the object, though nobody has"
                        + " changed it (it is still in version " + ResourceVersions.of(read) + "): the schema of "
                        + processor.resource()
                        + " has no room any more for what the settings persistence.progressStorage and"
                        + " persistence.diffBaseStorage keep there. Declare it again, as before or as an object with"
                        + " x-kubernetes-preserve-unknown-fields: true, and it is back; until then no handler is called, as for a"
                        + " new object, unless somebody changes the object.");
    }

    /** What was to be stored in the status is not there: the object cannot be handled. */
    static final class StateDroppedException extends RuntimeException {
        @Serial
        private static final long serialVersionUID = 1L;

        private StateDroppedException(String message) {
            super(message);
        }
    }

    /** True if an earlier cycle has found that the newest state has to be asked for. */
    boolean isRefreshNeeded() {
        Unsent unsent = memory.unsentPatchOrNull();
        return unsent != null && unsent.refreshNeeded;
    }

    /** Asks for the newest state; the next cycle goes on with it at once, and sends what is left to send. */
    void refresh() throws InterruptedException {
        switch (processor.cycles().sender().refresh(object)) {
            case PatchResult.Applied(var answered, var _)
            when answered != null -> {
                processor.consistencyCheck().acceptAsNewest(memory, ResourceVersions.of(answered));
                cycle.goOnWith(answered);
            }
            case PatchResult.Invalid(var refusal, var _) -> throw refusal;
            case PatchResult.Gone(), PatchResult.NothingToSend(), PatchResult.Applied _ ->
                processor.consistencyCheck().awaitDeletedEvent(memory);
        }
        // Not before: without an answer nothing is known of the object.
        memory.unsentPatch().refreshNeeded = false;
        memory.unsentPatch().content.add(content);
        cycle.wakeAfter(Duration.ZERO);
    }

    /** The newest state comes by itself as soon as the stream is read again: it is only asked for if it does not. */
    void refreshLater() {
        postpone();
        cycle.wakeAfter(STREAM_IS_READ_AGAIN_WITHIN);
    }

    /** Keeps for the next cycle what could not be sent. */
    void postpone() {
        keep(content);
    }

    private PatchResult deliver(PatchContent part) throws InterruptedException {
        ResourceObject newest = object.with(cycle.newest());
        OwnChange change = memory.hasSeenStates() ? ownChange(newest, part) : null;
        PatchResult result = sendOrDrop(newest, part);
        switch (result) {
            case PatchResult.NothingToSend() -> {}
            case PatchResult.Invalid(var refusal, var _) -> throw refusal;
            case PatchResult.Gone() -> {
                cycle.cancelWakeUp();
                processor.consistencyCheck().awaitDeletedEvent(memory);
            }
            case PatchResult.Applied(var answered, var remaining) -> {
                if (answered != null) {
                    take(answered, change);
                    MergePatch.mergeInto(statusPart, processor.stored().statusPart(part));
                }
                keepRemaining(remaining);
            }
        }
        return result;
    }

    private PatchResult sendOrDrop(ResourceObject newest, PatchContent part) throws InterruptedException {
        PatchResult result = processor.cycles().sender().send(newest, part);
        if (!(result instanceof PatchResult.Invalid(ApiException refusal, ObjectNode taken))) {
            return result;
        }
        return new InvalidPatch(processor, object, taken == null ? newest : newest.with(taken), taken)
                .sendApart(part, refusal);
    }

    /**
     * The essence of the object before and after the operator's own change, provided that nobody else changes the
     * object at the same time.
     */
    private record OwnChange(ObjectNode before, ObjectNode expected) {}

    /** The change that a patch makes; null if it leaves the essence alone. */
    private @Nullable OwnChange ownChange(ResourceObject newest, PatchContent part) {
        boolean statusMatters = processor.handlers().fields().stream()
                .anyMatch(field -> field.keys().getFirst().equals("status"));
        if (!statusMatters && processor.stored().locations().coversAllButStatus(part)) {
            return null;
        }
        return new OwnChange(processor.essenceOf(newest.node()), processor.essenceOf(part.previewAll(newest.node())));
    }

    private void take(ObjectNode answered, @Nullable OwnChange change) {
        if (change != null && JsonEquality.equal(processor.essenceOf(answered), change.expected())) {
            memory.handling().seenStates().ownChangeMade(change.before(), change.expected());
        }
        if (processor.handlers().handlesStates()) {
            processor.consistencyCheck().expectVersion(memory, cycle.newest(), answered);
        }
        cycle.goOnWith(answered);
        if (DeletionState.isReleased(answered)) {
            processor.consistencyCheck().awaitDeletedEvent(memory);
        }
    }

    /** What could not be sent is tried again with the next event, or after a while if none comes. */
    private void keepRemaining(PatchContent remaining) {
        if (remaining.isEmpty()) {
            Unsent unsent = memory.unsentPatchOrNull();
            if (unsent != null) {
                unsent.forgetConflicts();
                memory.forgetUnsentPatchIfEmpty();
            }
            return;
        }
        Unsent unsent = memory.unsentPatch();
        unsent.needRefresh();
        int earlier = unsent.conflictsInRow++;
        Duration pause = processor.throttling().delayAfterConflict(earlier);
        if (earlier == 0) {
            cycle.wakeWithin(pause);
        } else {
            // Whatever is due before, it waits for this to be sent: without the pause, both would be tried in haste.
            cycle.wakeAfter(pause);
        }
        keep(remaining);
    }

    private void keep(PatchContent unsent) {
        if (finalizerChange != null) {
            unsent.remove(finalizerChange);
        }
        if (!unsent.isEmpty()) {
            memory.unsentPatch().content.add(unsent);
        }
    }

    /** Writes the changes of daemons and timers as all other changes are written. Thread-safe. */
    static DaemonPatchWriter ofDaemons(PatchSender sender) {
        return (object, patch) -> {
            PatchResult result;
            try {
                result = sender.send(object, patch);
            } catch (StaleVersionException e) {
                object.localLogger().error("What a daemon or timer has changed is not written: {}", e.getMessage());
                return new DaemonPatchWriter.Written(null, new PatchContent());
            }
            // Another object may have the name: then what is left can never be written.
            if (result instanceof PatchResult.Applied(var answered, PatchContent remaining)
                    && (remaining.isEmpty() || !(sender.refresh(object) instanceof PatchResult.Gone))) {
                return new DaemonPatchWriter.Written(answered, remaining);
            }
            if (result instanceof PatchResult.Invalid(ApiException refusal, var _)) {
                object.localLogger()
                        .error(
                                "The server refuses the changes that a daemon or timer has made to this object; they are"
                                        + " dropped: {}",
                                refusal.getMessage());
            }
            return new DaemonPatchWriter.Written(null, new PatchContent());
        };
    }
}
