package dev.kopf4j.engine.queueing;

import dev.kopf4j.Resource;
import dev.kopf4j.engine.cycle.ObjectProcessor;
import dev.kopf4j.engine.index.IndexReadinessGate;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One stream's part in the readiness of the indices: it keeps the gate closed until all objects of its first list are
 * indexed, and knows which objects wait for the gate to open. Guarded by the dispatcher's monitor, except where said.
 */
final class StreamIndexReadiness {
    private static final int OBJECTS_TOLD = 3;

    private final IndexReadinessGate gate;
    private final ObjectProcessor processor;
    private final Resource resource;
    private final String stream;
    private final Set<ObjectQueue> waitingForIndices = new LinkedHashSet<>();
    /** The objects of the first list that are not in the indices yet: handlers have to wait for them. */
    private final Set<ObjectQueue> notIndexed = Collections.newSetFromMap(new IdentityHashMap<>());
    /** True once the first list has come to its end. */
    private boolean listed;
    /** True if nobody has to wait for the first list. */
    private boolean over = true;

    StreamIndexReadiness(IndexReadinessGate gate, ObjectProcessor processor, String stream) {
        this.gate = gate;
        this.processor = processor;
        this.resource = processor.resource();
        this.stream = stream;
    }

    /** True if only index functions may be called. Without the monitor, too. */
    boolean isClosed() {
        return !gate.isOpenFor(resource) && processor.waitsForIndices();
    }

    /** True if the object has work for other handlers only, while index functions still have to see some objects. */
    boolean mustWait(ObjectQueue queue) {
        return isClosed() && !canIndex(queue);
    }

    /** True if the object has a waiting event that index functions may see. */
    boolean canIndex(ObjectQueue queue) {
        return processor.indexes() && queue.queuedEvents() > 0;
    }

    /** The object has work that waits for the gate to open. */
    void add(ObjectQueue queue) {
        waitingForIndices.add(queue);
    }

    /** Takes all objects that have waited for the gate. */
    List<ObjectQueue> takeAll() {
        List<ObjectQueue> waiting = List.copyOf(waitingForIndices);
        waitingForIndices.clear();
        return waiting;
    }

    /** An event of the object has come, and waits to be indexed. */
    void offered(ObjectQueue queue) {
        if (!over && !listed) {
            notIndexed.add(queue);
        }
    }

    /** No event of the object waits to be indexed any more. */
    void indexed(ObjectQueue queue) {
        notIndexed.remove(queue);
    }

    /** All objects were listed. */
    void listed() {
        listed = true;
    }

    /**
     * How many events of the object count for its limit. Events that were put aside during the first list do not count:
     * otherwise the gate would wait for the list, and the list for the gate.
     */
    int countedEvents(@Nullable ObjectQueue queue) {
        if (queue == null) {
            return 0;
        }
        return queue.queuedEvents() + (over ? queue.parkedEvents() : 0);
    }

    /** The first list will come: if its objects are to be indexed, handlers have to wait for it. */
    void begin() {
        begin(processor.indexes());
    }

    /** Nobody has to wait for this stream any more. */
    void end() {
        waitingForIndices.clear();
        begin(false);
    }

    private void begin(boolean indexes) {
        notIndexed.clear();
        listed = false;
        over = !indexes;
    }

    /** The first list is over when all its objects are indexed: returns true then, exactly once. */
    boolean endIfIndexed() {
        boolean ends = !over && listed && notIndexed.isEmpty();
        over |= ends;
        return ends;
    }

    /**
     * Closes the gate if the objects are to be indexed. Without the monitor.
     *
     * @param missing returns {@link #missing}, with the monitor
     */
    void block(Supplier<String> missing) {
        if (processor.indexes()) {
            gate.block(stream, missing);
        }
    }

    /** The stream, and the objects that index functions see at the moment: one that is there for long hangs. */
    String missing() {
        String seen = notIndexed.stream()
                .filter(ObjectQueue::hasWorker)
                .limit(OBJECTS_TOLD)
                .map(queue -> queue.reference().describe())
                .collect(Collectors.joining(", "));
        return seen.isEmpty() ? stream : stream + " (index functions see " + seen + ")";
    }

    /** Stops keeping the gate closed. Called without the monitor, as the gate tells others when it opens. */
    void release() {
        gate.release(stream);
    }
}
