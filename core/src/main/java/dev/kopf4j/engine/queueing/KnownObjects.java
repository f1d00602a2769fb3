package dev.kopf4j.engine.queueing;

import dev.kopf4j.engine.cause.WatchEventType;
import dev.kopf4j.engine.daemon.ObjectDaemons;
import dev.kopf4j.engine.processing.ObjectMemory;
import dev.kopf4j.engine.processing.QueuedEvent;
import dev.kopf4j.object.ObjectReference;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The known objects of one stream: which of them the last list had, and how many of their events wait. Guarded by the
 * reactor's monitor.
 */
final class KnownObjects {
    private final Map<String, ObjectMemory> slots = new HashMap<>();
    private final Function<String, @Nullable ObjectDaemons> daemonsOf;
    private final LongSupplier nanos;
    private int lists;
    private int queued;

    /**
     * No objects.
     *
     * @param daemonsOf what daemons an object has left from an earlier stream
     * @param nanos the clock that tells how long events wait
     */
    KnownObjects(Function<String, @Nullable ObjectDaemons> daemonsOf, LongSupplier nanos) {
        this.daemonsOf = daemonsOf;
        this.nanos = nanos;
    }

    int size() {
        return slots.size();
    }

    List<ObjectMemory> all() {
        return List.copyOf(slots.values());
    }

    @Nullable ObjectMemory find(String uid) {
        return slots.get(uid);
    }

    /** A list begins: no object was seen in it yet. */
    void listStarted() {
        lists++;
        slots.values().forEach(slot -> {
            slot.seenInList = false;
            slot.currentList = lists;
        });
    }

    /** What was not seen since the last list began. */
    List<ObjectMemory> vanished() {
        return slots.values().stream().filter(slot -> !slot.seenInList).toList();
    }

    /** The slot of an object that an event has come of. */
    ObjectMemory noticed(String uid, ObjectReference reference, WatchEventType type) {
        boolean listed = type == WatchEventType.LISTED;
        ObjectMemory slot = slots.computeIfAbsent(uid, id -> newSlot(id, reference, listed));
        if (listed) {
            slot.seenInList = true;
            slot.currentList = lists;
            slot.listedIn = lists;
        } else if (type != WatchEventType.DELETED) {
            slot.seenInList = true;
        }
        return slot;
    }

    private ObjectMemory newSlot(String uid, ObjectReference reference, boolean listed) {
        ObjectMemory slot = new ObjectMemory(uid, reference, listed);
        slot.daemons = daemonsOf.apply(uid);
        return slot;
    }

    /** The object does not exist any more. */
    void forget(ObjectMemory slot) {
        slots.remove(slot.uid);
    }

    /** How many events wait, of all objects. */
    int queued() {
        return queued;
    }

    /** How many objects have work, waiting or in progress. */
    int atWork() {
        return (int) slots.values().stream()
                .filter(slot -> slot.hasWorker || slot.waiting() > 0)
                .count();
    }

    void offer(ObjectMemory slot, QueuedEvent event, boolean onlyNewest) {
        if (slot.waiting() == 0) {
            slot.waitingSince = nanos.getAsLong();
        }
        queued -= slot.waiting();
        slot.offer(event, onlyNewest);
        queued += slot.waiting();
    }

    @Nullable QueuedEvent poll(ObjectMemory slot) {
        QueuedEvent event = slot.poll();
        queued -= event == null ? 0 : 1;
        return event;
    }

    void dropEvents(ObjectMemory slot) {
        queued -= slot.waiting();
        slot.dropEvents();
    }

    /** The daemons and timers of all objects that have any. */
    List<ObjectDaemons> daemons() {
        return slots.values().stream()
                .map(slot -> slot.daemons)
                .filter(Objects::nonNull)
                .toList();
    }
}
