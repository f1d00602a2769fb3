package dev.kopf4j.engine.processing;

import dev.kopf4j.engine.cause.ResourceVersions;
import dev.kopf4j.engine.cause.WatchEventType;
import dev.kopf4j.engine.daemon.ObjectDaemons;
import dev.kopf4j.engine.handling.change.HandlingMemory;
import dev.kopf4j.engine.handling.context.OperatorMemos;
import dev.kopf4j.engine.index.IndexedObject;
import dev.kopf4j.json.Json;
import dev.kopf4j.object.ObjectReference;
import dev.kopf4j.object.PatchContent;
import dev.kopf4j.runtime.ActionSchedule;
import dev.kopf4j.runtime.Deadline;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * What is remembered of one object: a few flags at rest; events, a body, a schedule entry only while there is something
 * to be done.
 *
 * <p>The fields of the queue are guarded by the reactor's monitor; the others belong to whoever is the object's worker.
 */
public final class ObjectMemory {
    public final String uid;
    public final ObjectReference reference;

    // The queue: guarded by the monitor.
    private @Nullable Deque<QueuedEvent> events;
    private @Nullable Deque<QueuedEvent> parked;
    public boolean hasWorker;
    public boolean wakeRequested;
    public boolean seenInList;
    public int listedIn;
    public ActionSchedule.@Nullable ScheduledAction wakeUp;
    public boolean throttled;
    public long waitingSince;

    /** The number of the list that has begun last; written under the monitor. */
    public volatile int currentList;

    // The processing: confined to the worker.
    final boolean noticedByListing;
    boolean handledOnce;
    boolean awaitsDeletedEvent;
    boolean refusalReported;
    int errorsInRow;
    int conflictsInRow;
    boolean patchConflicted;

    /** Daemons and timers; null if there are none. */
    public @Nullable ObjectDaemons daemons;

    /** True if the daemons know whom to tell of their end. */
    public boolean daemonsNotifyWorker;

    @Nullable String newestVersion;

    Deadline expectedUntil = Deadline.NEVER;

    /** The version in which nothing is left to be done, though its event has not come yet; null if there is none. */
    @Nullable String echoVersion;

    public int versionLearntInList;
    private byte @Nullable [] bodyBytes;
    private @Nullable String bodyVersion;
    private @Nullable PatchContent unsentPatch;
    private @Nullable HandlingMemory handling;

    @Nullable IndexedObject indexed;

    // Shared by all threads of its handlers.
    private volatile @Nullable Object memo;

    public ObjectMemory(String uid, ObjectReference reference, boolean noticedByListing) {
        this.uid = uid;
        this.reference = reference;
        this.noticedByListing = noticedByListing;
    }

    /** True if the object was listed, and has not been handled since. */
    boolean isInitial() {
        return noticedByListing && !handledOnce;
    }

    /** Adds an event; if only the newest state counts, it takes the place of an older one, or is of no use. */
    public void offer(QueuedEvent event, boolean onlyNewest) {
        events = queue(events);
        add(events, event, onlyNewest);
    }

    private static Deque<QueuedEvent> queue(@Nullable Deque<QueuedEvent> known) {
        return known == null ? new ArrayDeque<>(2) : known;
    }

    private static void add(Deque<QueuedEvent> queue, QueuedEvent event, boolean onlyNewest) {
        if (onlyNewest && !queue.isEmpty()) {
            if (event.isOlderThan(queue.getLast())) {
                return;
            }
            queue.clear();
        }
        queue.add(event);
    }

    /** Puts an event aside that is indexed, until the gate opens. Lists that are repeated meanwhile do not add up. */
    public void park(QueuedEvent event, boolean onlyNewest) {
        parked = queue(parked);
        QueuedEvent last = parked.peekLast();
        if (last != null && last.type() == WatchEventType.LISTED && event.type() == WatchEventType.LISTED) {
            parked.removeLast();
        }
        add(parked, event, onlyNewest);
    }

    /** The oldest event that was put aside; null if there is none. */
    public @Nullable QueuedEvent takeParked() {
        QueuedEvent event = parked == null ? null : parked.poll();
        if (parked != null && parked.isEmpty()) {
            parked = null;
        }
        return event;
    }

    public int waitingBehindGate() {
        return parked == null ? 0 : parked.size();
    }

    /** True if there is something to be done. */
    public boolean hasWork() {
        return wakeRequested || events != null || parked != null;
    }

    /** True if a state that is not older is waiting behind the event that was taken. */
    public boolean isOutdated(QueuedEvent taken) {
        return hasNewer(parked, taken) || hasNewer(events, taken);
    }

    private static boolean hasNewer(@Nullable Deque<QueuedEvent> queue, QueuedEvent taken) {
        return queue != null && queue.stream().anyMatch(later -> !later.isOlderThan(taken));
    }

    public int waiting() {
        return events == null ? 0 : events.size();
    }

    /** The oldest event; null if there is none. */
    public @Nullable QueuedEvent poll() {
        Deque<QueuedEvent> queue = events;
        QueuedEvent event = queue == null ? null : queue.poll();
        if (queue != null && queue.isEmpty()) {
            events = null;
        }
        return event;
    }

    /** Remembers the newest version, and when it was learnt; null if none is known. */
    void rememberVersion(@Nullable String version) {
        newestVersion = version;
        versionLearntInList = currentList;
    }

    /** Keeps a body for a later wake-up, as compact bytes and without what no handler needs. */
    public void rememberBody(ObjectNode body) {
        ObjectNode copy = body;
        if (body.path("metadata").has("managedFields")) {
            copy = body.deepCopy();
            ((ObjectNode) copy.path("metadata")).remove("managedFields");
        }
        bodyBytes = Json.bytes(copy);
        bodyVersion = ResourceVersions.of(body);
    }

    /** The version of the kept body, for which it need not be parsed; null if there is none. */
    @Nullable String rememberedVersion() {
        return bodyVersion;
    }

    /** The kept body; null if there is none. */
    @Nullable ObjectNode rememberedBody() {
        return bodyBytes == null ? null : Json.parseObject(bodyBytes);
    }

    /** The state to go on with if nothing has happened to the object, parsed when it is got; null if there is none. */
    public @Nullable Supplier<ObjectNode> rememberedOrLiveBody() {
        byte[] bytes = bodyBytes;
        ObjectDaemons known = daemons;
        if (bytes == null) {
            return known == null ? null : known.snapshot();
        }
        return () -> Json.parseObject(bytes);
    }

    public void forgetBody() {
        bodyBytes = null;
        bodyVersion = null;
    }

    /**
     * Drops everything that is to be done, and everything that is known of the object's state: both will come anew. By
     * the worker, or while there is none.
     */
    public void dropPending() {
        dropEvents();
        errorsInRow = 0;
        conflictsInRow = 0;
        patchConflicted = false;
        unsentPatch = null;
        if (handling != null) {
            // Another operator may go on with the object meanwhile.
            handling.forgetProgress();
        }
        forgetBody();
    }

    /** Drops what is to be done; under the monitor. */
    public void dropEvents() {
        events = null;
        parked = null;
        wakeRequested = false;
        throttled = false;
    }

    /** Takes what an earlier cycle could not send. */
    PatchContent takeUnsentPatch() {
        PatchContent taken = unsentPatch == null ? new PatchContent() : unsentPatch;
        unsentPatch = null;
        return taken;
    }

    /** True if something has to be sent that could not be sent yet. */
    boolean hasUnsentPatch() {
        return unsentPatch != null;
    }

    /** Adds to what has to be sent later. */
    void addUnsentPatch(PatchContent patch) {
        if (!patch.isEmpty()) {
            PatchContent all = takeUnsentPatch();
            all.add(patch);
            unsentPatch = all;
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
            found = operatorMemos.forObject();
            memo = found;
        }
        return found;
    }

    /** What is remembered of its handling, made when it is asked for first. */
    HandlingMemory handling() {
        HandlingMemory found = handling;
        if (found == null) {
            found = new HandlingMemory();
            handling = found;
        }
        return found;
    }

    /** True if something is remembered of what its handlers have seen. */
    boolean hasSeenStates() {
        return handling != null && !handling.seenStates().isEmpty();
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
}
