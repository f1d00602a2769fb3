package dev.kopf4j.engine.queueing;

import dev.kopf4j.engine.index.IndexReadinessGate;
import dev.kopf4j.engine.processing.ObjectMemory;
import dev.kopf4j.engine.processing.ObjectProcessor;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What one stream has to do with the gate of the indices: it keeps the gate closed until all objects of its first list
 * are indexed, and knows which objects wait for the gate to open. Guarded by the reactor's monitor, except where said.
 */
final class StreamIndexReadiness {
    private final IndexReadinessGate gate;
    private final ObjectProcessor processor;
    private final String stream;
    private final Set<ObjectMemory> waitingForIndices = new LinkedHashSet<>();
    private InitialListing initialListing = new InitialListing(false);

    StreamIndexReadiness(IndexReadinessGate gate, ObjectProcessor processor, String stream) {
        this.gate = gate;
        this.processor = processor;
        this.stream = stream;
    }

    /** True if only index functions may be called. Without the monitor, too. */
    boolean isClosed() {
        return !gate.isOpen() && processor.waitsForIndices();
    }

    /** True if what the slot has to do is not for index functions, and those are not through with all objects. */
    boolean mustWait(ObjectMemory slot) {
        return isClosed() && !canIndex(slot);
    }

    /** True if there is something for index functions. */
    boolean canIndex(ObjectMemory slot) {
        return processor.indexes() && slot.waiting() > 0;
    }

    /** The slot has work, and waits. */
    void add(ObjectMemory slot) {
        waitingForIndices.add(slot);
    }

    /** Those that have waited; they do not any more. */
    List<ObjectMemory> takeAll() {
        List<ObjectMemory> waiting = List.copyOf(waitingForIndices);
        waitingForIndices.clear();
        return waiting;
    }

    /** An event of the object waits to be indexed. */
    void offered(ObjectMemory slot) {
        initialListing.add(slot);
    }

    /** No event of the object waits to be indexed any more. */
    void indexed(ObjectMemory slot) {
        initialListing.indexed(slot);
    }

    /** All objects were listed. */
    void listed() {
        initialListing.listed();
    }

    /**
     * How many events of the slot count for its limit. What was put aside during the first list does not: the gate
     * would wait for the list, and the list for it.
     */
    int waiting(@Nullable ObjectMemory slot) {
        if (slot == null) {
            return 0;
        }
        return slot.waiting() + (initialListing.isOver() ? slot.waitingBehindGate() : 0);
    }

    /** The first list is to come: if the objects are to be indexed, it has to be waited for. */
    void begin() {
        initialListing = new InitialListing(processor.indexes());
    }

    /** Nothing has to be waited for. */
    void end() {
        waitingForIndices.clear();
        initialListing = new InitialListing(false);
    }

    /** True once: when all objects that were listed are indexed. */
    boolean becomesReady() {
        return initialListing.ends();
    }

    /** Closes the gate if the objects are to be indexed. Without the monitor. */
    void block() {
        if (processor.indexes()) {
            gate.block(stream);
        }
    }

    /** Does not keep the gate closed any more. Without the monitor: others are told. */
    void release() {
        gate.release(stream);
    }
}
