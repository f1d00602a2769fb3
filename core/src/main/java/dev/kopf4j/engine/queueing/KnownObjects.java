package dev.kopf4j.engine.queueing;

import dev.kopf4j.engine.cause.WatchEventType;
import dev.kopf4j.engine.daemon.ObjectDaemons;
import dev.kopf4j.engine.processing.ObjectProcessor;
import dev.kopf4j.object.ObjectReference;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The objects of one stream that exist, with their queues: which of them the last list had, and how many of their
 * events wait. Guarded by the dispatcher's monitor.
 */
final class KnownObjects {
    private final Map<String, ObjectQueue> queues = new HashMap<>();
    private final ObjectProcessor processor;
    private final LongSupplier nanos;
    private final StreamPosition position;
    private int queuedEvents;

    /**
     * No objects.
     *
     * @param processor makes what is remembered of them
     * @param nanos the clock that tells how long events wait
     * @param position how far the stream has come
     */
    KnownObjects(ObjectProcessor processor, LongSupplier nanos, StreamPosition position) {
        this.processor = processor;
        this.nanos = nanos;
        this.position = position;
    }

    int size() {
        return queues.size();
    }

    List<ObjectQueue> all() {
        return List.copyOf(queues.values());
    }

    @Nullable ObjectQueue find(String uid) {
        return queues.get(uid);
    }

    /** A list begins: no object was seen in it yet. */
    void listStarted() {
        position.listStarted();
        queues.values().forEach(ObjectQueue::listStarted);
    }

    /** The objects that were not seen since the last list began. */
    List<ObjectQueue> vanished() {
        return queues.values().stream().filter(queue -> !queue.wasSeenInList()).toList();
    }

    /** The queue of an object of which an event has come. */
    ObjectQueue noticed(String uid, ObjectReference reference, WatchEventType type) {
        ObjectQueue queue = queues.computeIfAbsent(
                uid,
                id -> new ObjectQueue(processor.newMemory(id, reference, type == WatchEventType.LISTED, position)));
        queue.noticed(type, position.currentList());
        return queue;
    }

    /** The object does not exist any more. */
    void forget(ObjectQueue queue) {
        queues.remove(queue.uid());
    }

    /** How many events wait, of all objects. */
    int queuedEvents() {
        return queuedEvents;
    }

    /** How many objects have work, waiting or in progress. */
    int atWork() {
        return (int) queues.values().stream()
                .filter(queue -> queue.hasWorker() || queue.queuedEvents() > 0)
                .count();
    }

    /** Adds an event to the object's queue, as {@link ObjectQueue#offer} does. */
    void offer(ObjectQueue queue, QueuedEvent event, boolean onlyNewest) {
        queuedEvents -= queue.queuedEvents();
        queue.offer(event, onlyNewest, nanos.getAsLong());
        queuedEvents += queue.queuedEvents();
    }

    /** Takes the oldest event of the object; null if there is none. */
    @Nullable QueuedEvent poll(ObjectQueue queue) {
        QueuedEvent event = queue.poll();
        queuedEvents -= event == null ? 0 : 1;
        return event;
    }

    /** Drops everything that is to be done for the object. */
    void dropWork(ObjectQueue queue) {
        queuedEvents -= queue.queuedEvents();
        queue.dropWork();
    }

    /** The daemons and timers of all objects that have any. */
    List<ObjectDaemons> daemons() {
        return queues.values().stream()
                .map(queue -> queue.memory().daemons())
                .filter(Objects::nonNull)
                .toList();
    }
}
