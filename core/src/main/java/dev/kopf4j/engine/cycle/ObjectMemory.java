package dev.kopf4j.engine.cycle;

import dev.kopf4j.engine.call.OperatorMemos;
import dev.kopf4j.engine.call.ProgressState;
import dev.kopf4j.engine.cause.Cause.Change;
import dev.kopf4j.engine.cause.ResourceVersions;
import dev.kopf4j.engine.children.ChildrenMemory;
import dev.kopf4j.engine.children.Digests;
import dev.kopf4j.engine.cycle.HandlerRounds.RetryWait;
import dev.kopf4j.engine.cycle.ObjectProcessor.StreamProgress;
import dev.kopf4j.engine.cycle.OutdatedHandlerRerun.SeenStates;
import dev.kopf4j.engine.cycle.Repetition.Fight;
import dev.kopf4j.engine.daemon.ObjectDaemons;
import dev.kopf4j.engine.declaration.RegisteredHandler;
import dev.kopf4j.engine.index.ObjectIndexer.IndexHolder;
import dev.kopf4j.engine.index.ObjectIndexer.IndexedObject;
import dev.kopf4j.engine.intervention.FailedHandlers;
import dev.kopf4j.engine.intervention.Interventions;
import dev.kopf4j.json.Json;
import dev.kopf4j.object.CompactBody;
import dev.kopf4j.object.ObjectReference;
import dev.kopf4j.object.ObjectReference.CompactUid;
import dev.kopf4j.persistence.progress.ProgressRecord;
import dev.kopf4j.runtime.Platform;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * What the operator remembers of one object between its cycles. An object at rest takes a few flags; it has a body, an
 * unsent patch and progress only while there is something to do. Confined to the object's worker, or read while there
 * is none.
 */
public final class ObjectMemory implements IndexHolder {
    private final CompactUid uid;
    private final @Nullable String name;
    private final @Nullable String namespace;
    private final StreamProgress stream;
    /** Null at rest, and made anew when somebody asks for it. Immutable: it does not matter which one a thread sees. */
    private @Nullable ObjectReference reference;

    private boolean initial;
    private @Nullable Failures failures;
    /** The pause that was told last, where it is not acknowledged on the object. */
    private Interventions.Pause toldPause = Interventions.Pause.NONE;

    private boolean refusalReported;
    private boolean stepsLeftReported;
    private boolean daemonsNotifyWorker;
    private boolean creationStored;
    private boolean hadFinalizer;
    private ConsistencyCheck.@Nullable KnownVersion knownVersion;
    private @Nullable UnfinishedWork unfinished;
    private @Nullable ObjectDaemons daemons;
    private @Nullable IndexedObject indexed;
    private @Nullable ChildrenMemory children;

    // Shared by all threads of its handlers.
    private volatile @Nullable Object memo;

    ObjectMemory(String uid, ObjectReference reference, boolean noticedByListing, StreamProgress stream) {
        this.uid = CompactUid.of(uid);
        this.name = reference.name();
        this.namespace = reference.namespace();
        this.reference = reference;
        this.initial = noticedByListing;
        this.stream = stream;
    }

    /** The uid, which no other object has; or what stands for it. */
    public String uid() {
        ObjectReference known = reference;
        String text = known == null ? null : known.uid();
        return text == null || text.isEmpty() ? uid.toString() : text;
    }

    /** The uid, as it is kept. */
    public CompactUid compactUid() {
        return uid;
    }

    /** Refers to the object. Safe for all threads. */
    public ObjectReference reference() {
        ObjectReference known = reference;
        return known == null ? stream.reference(name, uid.toString(), namespace) : known;
    }

    /** True if these are its name and namespace. */
    public boolean isNamed(@Nullable String otherName, @Nullable String otherNamespace) {
        return Objects.equals(name, otherName) && Objects.equals(namespace, otherNamespace);
    }

    /** The object will be looked at: all that refer to it share one reference. */
    public void workBegins() {
        reference = reference();
    }

    /**
     * Nobody looks at the object any more: it takes as little memory as it can. What has no UUID is known by its
     * reference alone, and daemons and children keep the reference, too.
     */
    public void workEnds() {
        if (uid.text() == null && daemons == null && children == null) {
            reference = null;
        }
    }

    /** How far its stream has come. */
    StreamProgress stream() {
        return stream;
    }

    /** True if the object was listed, and has not been handled since, or is to be handled as if that were so. */
    boolean isInitial() {
        return initial;
    }

    /** Somebody wants its handlers to be called as if the operator had just started. */
    void resumeAgain() {
        initial = true;
    }

    /** The handlers that have failed for good since the operator has started. */
    FailedHandlers failures() {
        return failures == null ? FailedHandlers.NONE : failures.handlers();
    }

    /** True if a handler has failed for good. */
    public boolean hasFailed() {
        return failures != null;
    }

    /** True if one of its children could not be written or deleted. */
    public boolean hasRefusedChildren() {
        return children != null && children.hasWriteFailures();
    }

    /** Remembers who has failed for good. */
    void remember(FailedHandlers failed) {
        long handled = failures == null ? 0 : failures.handled();
        failures = failed.isEmpty() ? null : new Failures(failed, handled, false);
    }

    /**
     * The object counts as handled in that state, whoever has failed.
     *
     * @param retry the last retry that was followed
     */
    void handledIn(ObjectNode essence, String retry) {
        if (failures != null) {
            failures = new Failures(failures.handlers(), handledBy(essence, retry), false);
        }
    }

    /**
     * Forgets who has failed for good, if others have handled the object since, or have followed a retry, while this
     * operator was paused: they may have put it right.
     *
     * @param handled the state in which the object counts as handled; null for none
     * @param retry the last retry that was followed
     */
    void seesHandled(@Nullable ObjectNode handled, String retry) {
        if (failures != null) {
            long seen = handledBy(handled, retry);
            boolean byOthers = failures.paused() && seen != failures.handled();
            failures = byOthers ? null : new Failures(failures.handlers(), seen, false);
        }
    }

    private static long handledBy(@Nullable ObjectNode essence, String retry) {
        return Digests.of(Json.object().put("retry", retry).set("handled", essence));
    }

    /** The handlers have ended, or know at least that the operator has started. */
    void handled() {
        initial = false;
    }

    /** The pause that was told last, where the operator does not write it into the object. */
    Interventions.Pause toldPause() {
        return toldPause;
    }

    void toldPause(Interventions.Pause told) {
        toldPause = told;
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

    /** The object has the finalizer, or the operator takes it off. */
    void hasFinalizer(boolean has) {
        hadFinalizer = has;
    }

    /** True if the object had the finalizer when it was looked at last, and the operator has not taken it off. */
    boolean hadFinalizer() {
        return hadFinalizer;
    }

    /** The beginning of the creation's handling, or all of it, is stored on the object. */
    void creationIsStored() {
        creationStored = true;
    }

    /** True if something of its creation was on the object at some time. */
    boolean isCreationStored() {
        return creationStored;
    }

    /** What is done again and again, as somebody undoes it each time. */
    Repetition repetition(Fight fight) {
        UnfinishedWork work = unfinished();
        if (work.repetitions.isEmpty()) {
            work.repetitions = new EnumMap<>(Fight.class);
        }
        return work.repetitions.computeIfAbsent(fight, _ -> new Repetition());
    }

    private @Nullable Repetition repetitionOrNull(Fight fight) {
        return unfinished == null ? null : unfinished.repetitions.get(fight);
    }

    /** True if what is undone waits to be done again. */
    boolean waits(Fight fight) {
        Repetition known = repetitionOrNull(fight);
        return known != null && known.waits();
    }

    /** It need not be done again: nobody has undone it after all, or it is not needed any more. */
    void isInOrder(Fight fight, Platform platform) {
        Repetition known = repetitionOrNull(fight);
        if (known != null && known.ends(platform)) {
            forget(fight);
        }
    }

    void forget(Fight fight) {
        if (repetitionOrNull(fight) != null) {
            forget(work -> work.repetitions.remove(fight));
        }
    }

    /** It is forgotten what was on the object: somebody wants the creation to be handled again. */
    void forgetStored() {
        creationStored = false;
        hadFinalizer = false;
        forget(Fight.FINALIZER_REMOVED);
        forget(Fight.STATE_REMOVED);
    }

    /** Counts an unexpected error. */
    void countError() {
        unfinished().errorsInRow++;
    }

    /** How many unexpected errors there were in a row. */
    int errorsInRow() {
        return unfinished == null ? 0 : unfinished.errorsInRow;
    }

    void forgetErrors() {
        forget(work -> work.errorsInRow = 0);
    }

    private UnfinishedWork unfinished() {
        UnfinishedWork found = unfinished;
        if (found == null) {
            found = new UnfinishedWork();
            unfinished = found;
        }
        return found;
    }

    /** Forgets a part of the unfinished work, and all of it if that was the last part. */
    private void forget(Consumer<UnfinishedWork> part) {
        if (unfinished != null) {
            part.accept(unfinished);
            unfinished = unfinished.isEmpty() ? null : unfinished;
        }
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
        return unfinished == null ? null : unfinished.unsentPatch;
    }

    /** What could not be sent, empty at first. */
    OutgoingPatch.Unsent unsentPatch() {
        UnfinishedWork work = unfinished();
        OutgoingPatch.Unsent found = work.unsentPatch;
        if (found == null) {
            found = new OutgoingPatch.Unsent();
            work.unsentPatch = found;
        }
        return found;
    }

    /** True if something is left to send. */
    boolean hasUnsentPatch() {
        OutgoingPatch.Unsent found = unsentPatchOrNull();
        return found != null && !found.isEmpty();
    }

    void forgetUnsentPatchIfEmpty() {
        if (!hasUnsentPatch()) {
            forget(work -> work.unsentPatch = null);
        }
    }

    /**
     * Keeps a state for the next cycle. One without a version is no state but the mere identity of an object that could
     * not be asked for: it will be asked for again.
     */
    void rememberBody(ObjectNode newest) {
        if (ResourceVersions.of(newest).isEmpty()) {
            forgetBody();
        } else {
            unfinished().body = CompactBody.of(newest);
        }
    }

    /** The state that an earlier cycle has kept; null if there is none. */
    @Nullable CompactBody rememberedBody() {
        return unfinished == null ? null : unfinished.body;
    }

    void forgetBody() {
        forget(work -> work.body = null);
    }

    /**
     * The newest known state, for a cycle without an event; parsed when it is asked for, null if none is known. Of a
     * parent at rest none is kept: when a child has changed, the cycle asks for it.
     */
    public @Nullable Supplier<ObjectNode> bodyToWakeUp() {
        CompactBody kept = rememberedBody();
        if (kept != null) {
            return kept::parse;
        }
        Supplier<ObjectNode> known = daemons == null ? null : daemons.snapshot();
        if (known != null || children == null) {
            return known;
        }
        unsentPatch().needRefresh();
        return reference()::identity;
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
        if (errorsInRow() > 0) {
            into.put("errorsInRow", errorsInRow());
        }
        if (hasUnsentPatch()) {
            into.put("unsent", true);
        }
        if (waits(Fight.FINALIZER_REMOVED) || waits(Fight.STATE_REMOVED)) {
            into.put("removed", true);
        }
        if (waits(Fight.CHANGED_WITH_WRITING)) {
            into.put("changing", true);
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
        operatorMemos.forget(reference(), uid());
        forgetBody();
        if (daemons != null) {
            daemons.gone();
            daemons = null;
        }
    }

    /** Nobody will look at the object any more, as far as is known. */
    void discard(OperatorMemos operatorMemos) {
        operatorMemos.forget(reference(), uid());
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
            found = operatorMemos.forObject(reference(), uid());
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
        UnfinishedWork work = unfinished();
        HandlingMemory found = work.handling;
        if (found == null) {
            found = new HandlingMemory();
            work.handling = found;
        }
        return found;
    }

    /** What its handlers wait for that are to be called again. */
    Map<String, RetryWait> retryWaits() {
        return unfinished == null ? Map.of() : unfinished.retryWaits;
    }

    /** Remembers what its handlers wait for. */
    void remember(Map<String, RetryWait> waits) {
        if (!waits.isEmpty()) {
            unfinished().retryWaits = waits;
        } else {
            forget(work -> work.retryWaits = Map.of());
        }
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
        HandlingMemory handling = handlingOrNull();
        return handling != null && !handling.seenStates().isEmpty();
    }

    /**
     * The change since the state that handlers have seen, if they have seen another one than the last-handled state.
     */
    Change sinceSeenState(Change found) {
        return hasSeenStates() ? handling().seenStates().sinceSeenState(found) : found;
    }

    /** Takes over what an earlier process has stored of the handlers that a retry does not call. */
    void recallSeen(@Nullable ObjectNode stored, Change change, List<RegisteredHandler> known) {
        if (stored != null) {
            handling().seenStates().recall(stored, change, known);
        }
    }

    /** The sub-handlers that were called for its unfinished change. */
    Set<String> knownSubHandlers() {
        HandlingMemory handling = handlingOrNull();
        return handling == null ? new HashSet<>() : handling.subHandlerIds();
    }

    private @Nullable HandlingMemory handlingOrNull() {
        return unfinished == null ? null : unfinished.handling;
    }

    void forgetHandlingIfEmpty() {
        HandlingMemory handling = handlingOrNull();
        if (handling != null && handling.isEmpty()) {
            forget(work -> work.handling = null);
        }
    }

    /** Other replicas act on the object: if it comes back, it is as if the operator had just started. */
    void leaveToOthers(OperatorMemos operatorMemos) {
        operatorMemos.forget(reference(), uid());
        memo = null;
        initial = true;
        failures = null;
        toldPause = Interventions.Pause.NONE;
        refusalReported = false;
        stepsLeftReported = false;
        daemons = null;
        daemonsNotifyWorker = false;
        knownVersion = null;
        forgetStored();
        forget(work -> work.handling = null);
        remember(Map.of());
    }

    /**
     * Drops what is left to do, and the state of the object: both will come anew. Another operator may go on with the
     * object meanwhile.
     */
    void dropPending() {
        unfinished = null;
        if (failures != null) {
            failures = new Failures(failures.handlers(), failures.handled(), true);
        }
        if (children != null) {
            children.forgetState();
        }
    }

    /**
     * The handlers that have failed for good. Immutable.
     *
     * @param handled stands for the state in which the object counted as handled when it was looked at last, and for
     *     the last retry that was followed
     * @param paused true if others may have handled it since
     */
    private record Failures(FailedHandlers handlers, long handled, boolean paused) {}

    /** What is remembered of an object only while there is something to do. Confined to the object's worker. */
    private static final class UnfinishedWork {
        private int errorsInRow;
        private OutgoingPatch.@Nullable Unsent unsentPatch;
        private @Nullable CompactBody body;
        private @Nullable HandlingMemory handling;
        private Map<String, RetryWait> retryWaits = Map.of();
        private Map<Fight, Repetition> repetitions = Map.of();

        boolean isEmpty() {
            return errorsInRow == 0
                    && unsentPatch == null
                    && body == null
                    && handling == null
                    && retryWaits.isEmpty()
                    && repetitions.isEmpty();
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

        /** Forgets the saved calls of parents that have not begun, or have begun anew. */
        void forgetSavedCalls(ProgressState progress) {
            savedCalls.keySet().removeIf(id -> {
                ProgressRecord record = progress.recordOf(id);
                return !progress.hasBegun(id) || (record != null && record.retries() == 0);
            });
        }

        /** True if nothing has to be remembered. */
        boolean isEmpty() {
            return seenStates.isEmpty() && subHandlerIds.isEmpty();
        }
    }
}
