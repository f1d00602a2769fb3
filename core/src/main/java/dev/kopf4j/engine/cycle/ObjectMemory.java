package dev.kopf4j.engine.cycle;

import dev.kopf4j.engine.call.OperatorMemos;
import dev.kopf4j.engine.call.ProgressState;
import dev.kopf4j.engine.cause.Cause.Change;
import dev.kopf4j.engine.cause.ResourceVersions;
import dev.kopf4j.engine.children.ChildrenMemory;
import dev.kopf4j.engine.cycle.ObjectProcessor.StreamProgress;
import dev.kopf4j.engine.cycle.OutdatedHandlerRerun.SeenStates;
import dev.kopf4j.engine.daemon.ObjectDaemons;
import dev.kopf4j.engine.declaration.RegisteredHandler;
import dev.kopf4j.engine.index.IndexedObject;
import dev.kopf4j.engine.index.ObjectIndexer.IndexHolder;
import dev.kopf4j.engine.intervention.FailedHandlers;
import dev.kopf4j.json.Json;
import dev.kopf4j.object.CompactBody;
import dev.kopf4j.object.ObjectReference;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * What the operator remembers of one object between its cycles. An object at rest takes a few flags; it has a body, an
 * unsent patch and progress only while there is something to do. Confined to the object's worker, or read while there
 * is none.
 */
public final class ObjectMemory implements IndexHolder {
    private final String uid;
    private final ObjectReference reference;
    private final StreamProgress stream;
    private final boolean noticedByListing;
    private boolean handledOnce;
    private boolean toBeResumed;
    private @Nullable FailedHandlers failures;
    private boolean refusalReported;
    private boolean stepsLeftReported;
    private boolean daemonsNotifyWorker;
    private int errorsInRow;
    private ConsistencyCheck.@Nullable KnownVersion knownVersion;
    private OutgoingPatch.@Nullable Unsent unsentPatch;
    private @Nullable CompactBody body;
    private @Nullable ObjectDaemons daemons;
    private @Nullable HandlingMemory handling;
    private @Nullable IndexedObject indexed;
    private @Nullable ChildrenMemory children;

    // Shared by all threads of its handlers.
    private volatile @Nullable Object memo;

    ObjectMemory(String uid, ObjectReference reference, boolean noticedByListing, StreamProgress stream) {
        this.uid = uid;
        this.reference = reference;
        this.noticedByListing = noticedByListing;
        this.stream = stream;
    }

    /** The uid, which no other object has; or what stands for it. */
    public String uid() {
        return uid;
    }

    public ObjectReference reference() {
        return reference;
    }

    /** How far its stream has come. */
    StreamProgress stream() {
        return stream;
    }

    /** True if the object was listed, and has not been handled since. */
    boolean isInitial() {
        return (noticedByListing && !handledOnce) || toBeResumed;
    }

    /** Somebody wants its handlers to be called as if the operator had just started. */
    void resumeAgain() {
        toBeResumed = true;
    }

    /** The handlers that have failed for good since the operator has started. */
    FailedHandlers failures() {
        return failures == null ? FailedHandlers.NONE : failures;
    }

    /** True if a handler has failed for good. */
    public boolean hasFailed() {
        return failures != null;
    }

    void remember(FailedHandlers failed) {
        failures = failed.isEmpty() ? null : failed;
    }

    /** The handlers have ended, or know at least that the operator has started. */
    void handled() {
        handledOnce = true;
        toBeResumed = false;
    }

    /** True the first time: the same refusal is not reported with each event. */
    boolean reportsRefusal() {
        boolean first = !refusalReported;
        refusalReported = true;
        return first;
    }

    /** The object can be handled: a later refusal is told. */
    void accepted() {
        refusalReported = false;
    }

    /** True the first time: the finalizer may need several attempts to go. */
    boolean reportsStepsLeft() {
        boolean first = !stepsLeftReported;
        stepsLeftReported = true;
        return first;
    }

    /** The object has the finalizer as it should: if it is to go later, steps that are left are told. */
    void finalizerIsAsNeeded() {
        stepsLeftReported = false;
    }

    /** Counts an unexpected error. */
    void countError() {
        errorsInRow++;
    }

    /** How many unexpected errors there were in a row. */
    int errorsInRow() {
        return errorsInRow;
    }

    void forgetErrors() {
        errorsInRow = 0;
    }

    /** The known version; null as long as nothing is known of any. */
    ConsistencyCheck.@Nullable KnownVersion knownVersionOrNull() {
        return knownVersion;
    }

    /** The known version, in which nothing is known at first. */
    ConsistencyCheck.KnownVersion knownVersion() {
        ConsistencyCheck.KnownVersion found = knownVersion;
        if (found == null) {
            found = new ConsistencyCheck.KnownVersion();
            knownVersion = found;
        }
        return found;
    }

    /** What could not be sent; null if nothing is left. */
    OutgoingPatch.@Nullable Unsent unsentPatchOrNull() {
        return unsentPatch;
    }

    /** What could not be sent, empty at first. */
    OutgoingPatch.Unsent unsentPatch() {
        OutgoingPatch.Unsent found = unsentPatch;
        if (found == null) {
            found = new OutgoingPatch.Unsent();
            unsentPatch = found;
        }
        return found;
    }

    /** True if something is left to send. */
    boolean hasUnsentPatch() {
        return unsentPatch != null && !unsentPatch.isEmpty();
    }

    void forgetUnsentPatchIfEmpty() {
        if (unsentPatch != null && unsentPatch.isEmpty()) {
            unsentPatch = null;
        }
    }

    /**
     * Keeps a state for the next cycle. One without a version is no state but the mere identity of an object that could
     * not be asked for: it will be asked for again.
     */
    void rememberBody(ObjectNode newest) {
        body = ResourceVersions.of(newest).isEmpty() ? null : CompactBody.of(newest);
    }

    /** The state that an earlier cycle has kept; null if there is none. */
    @Nullable CompactBody rememberedBody() {
        return body;
    }

    void forgetBody() {
        body = null;
    }

    /** The newest known state, for a cycle without an event; parsed when it is asked for, null if none is known. */
    public @Nullable Supplier<ObjectNode> newestBody() {
        CompactBody kept = body;
        ObjectDaemons known = daemons;
        if (kept == null) {
            return known == null ? null : known.snapshot();
        }
        return kept::parse;
    }

    /**
     * The state for a cycle without an event. Of a parent at rest none is kept: when a child has changed, the cycle
     * asks for it.
     */
    public @Nullable Supplier<ObjectNode> bodyToWakeUp() {
        Supplier<ObjectNode> known = newestBody();
        if (known != null || children == null) {
            return known;
        }
        unsentPatch().needRefresh();
        return this::identity;
    }

    private ObjectNode identity() {
        ObjectNode body = Json.object();
        body.put("apiVersion", reference.apiVersion()).put("kind", reference.kind());
        body.putObject("metadata")
                .put("name", reference.name())
                .put("namespace", reference.namespace())
                .put("uid", reference.uid());
        return body;
    }

    /** The object's daemons and timers; null if there are none. */
    public @Nullable ObjectDaemons daemons() {
        return daemons;
    }

    void remember(ObjectDaemons made) {
        daemons = made;
    }

    void forgetDaemons() {
        daemons = null;
    }

    /** Tells people what only this memory knows, but for daemons and timers. Values of the object are not among it. */
    public void tell(ObjectNode into) {
        into.put("resumed", !isInitial());
        if (hasSeenStates()) {
            handling().seenStates().handlers().stream().sorted().forEach(into.putArray("seen")::add);
        }
        failures().ids().stream().sorted().forEach(into.withArray("failed")::add);
        if (errorsInRow > 0) {
            into.put("errorsInRow", errorsInRow);
        }
        if (hasUnsentPatch()) {
            into.put("unsent", true);
        }
        if (children != null) {
            children.tell(into.putObject("children"));
        }
    }

    /** From now on the daemons and timers tell when one of them has ended, if there are any. */
    void tellOfEndedDaemons(Runnable wake) {
        if (daemons != null && !daemonsNotifyWorker) {
            daemons.onEnded(wake);
        }
        daemonsNotifyWorker = daemons != null;
    }

    /** The object does not exist any more: its daemons and timers have to end. */
    void objectGone(OperatorMemos operatorMemos) {
        operatorMemos.forget(reference, uid);
        body = null;
        if (daemons != null) {
            daemons.gone();
            daemons = null;
        }
    }

    /** Nobody will look at the object any more, as far as is known. */
    void discard(OperatorMemos operatorMemos) {
        operatorMemos.forget(reference, uid);
        if (daemons != null) {
            daemons.discard();
        }
    }

    /** The memo, made when it is asked for first. Thread-safe. */
    Object memo(OperatorMemos operatorMemos) {
        Object found = memo;
        return found == null ? madeMemo(operatorMemos) : found;
    }

    private synchronized Object madeMemo(OperatorMemos operatorMemos) {
        Object found = memo;
        if (found == null) {
            found = operatorMemos.forObject(reference, uid);
            memo = found;
        }
        return found;
    }

    /** What the object has in the indices; null for nothing. */
    @Override
    public @Nullable IndexedObject indexed() {
        return indexed;
    }

    @Override
    public void indexed(@Nullable IndexedObject values) {
        indexed = values;
    }

    /** What is remembered of its handling, empty at first. */
    HandlingMemory handling() {
        HandlingMemory found = handling;
        if (found == null) {
            found = new HandlingMemory();
            handling = found;
        }
        return found;
    }

    /** What is remembered of its children; null if nobody handles them. */
    @Nullable ChildrenMemory children() {
        return children;
    }

    void children(@Nullable ChildrenMemory remembered) {
        children = remembered;
    }

    /** True if something is remembered of what its handlers have seen. */
    boolean hasSeenStates() {
        return handling != null && !handling.seenStates().isEmpty();
    }

    /**
     * The change since the state that handlers have seen, if they have seen another one than the last-handled state.
     */
    Change sinceSeenState(Change found) {
        return hasSeenStates() ? handling().seenStates().sinceSeenState(found) : found;
    }

    /** The sub-handlers that were called for its unfinished change. */
    Set<String> knownSubHandlers() {
        return handling == null ? new HashSet<>() : handling.subHandlerIds();
    }

    void forgetHandlingIfEmpty() {
        if (handling != null && handling.isEmpty()) {
            handling = null;
        }
    }

    /** Other replicas act on the object: if it comes back, it is as if the operator had just started. */
    void leaveToOthers(OperatorMemos operatorMemos) {
        operatorMemos.forget(reference, uid);
        memo = null;
        handledOnce = false;
        toBeResumed = true;
        failures = null;
        refusalReported = false;
        stepsLeftReported = false;
        daemons = null;
        daemonsNotifyWorker = false;
        knownVersion = null;
        handling = null;
    }

    /** Drops what is left to do, and the state of the object: both will come anew. */
    void dropPending() {
        errorsInRow = 0;
        unsentPatch = null;
        body = null;
        if (children != null) {
            children.forgetState();
        }
        if (handling != null) {
            // Another operator may go on with the object meanwhile.
            handling.forgetProgress();
        }
    }

    /**
     * What is remembered of the handling of one object between its cycles, beside the records that are stored on the
     * object. Confined to the object's worker.
     */
    static final class HandlingMemory {
        /** The states that the ended handlers have seen. */
        private final SeenStates seenStates = new SeenStates();
        /**
         * The sub-handlers that were called for the unfinished change; the records of their parents name them, too, but
         * somebody may remove these records.
         */
        private final Set<String> subHandlerIds = new LinkedHashSet<>();
        /** How many calls of parents were saved, by their ids: whose turn it is depends on them. */
        private final Map<String, Integer> savedCalls = new HashMap<>();

        SeenStates seenStates() {
            return seenStates;
        }

        Set<String> subHandlerIds() {
            return subHandlerIds;
        }

        /** How many calls of the parent were saved. */
        int savedCalls(RegisteredHandler parent) {
            return savedCalls.getOrDefault(parent.id(), 0);
        }

        /** Counts a call of the parent that was saved. */
        void addSavedCall(RegisteredHandler parent) {
            savedCalls.merge(parent.id(), 1, Integer::sum);
        }

        /** Forgets the saved calls of parents that have not begun. */
        void forgetSavedCalls(ProgressState progress) {
            savedCalls.keySet().removeIf(id -> !progress.hasBegun(id));
        }

        /** Forgets how far the handling has come: it is over, or will be done by somebody else. */
        void forgetProgress() {
            seenStates.clear();
            subHandlerIds.clear();
            savedCalls.clear();
        }

        /** True if nothing has to be remembered. */
        boolean isEmpty() {
            return seenStates.isEmpty() && subHandlerIds.isEmpty();
        }
    }
}
