package dev.kopf4j.engine.cycle;

import dev.kopf4j.engine.call.ProgressState;
import dev.kopf4j.engine.declaration.RegisteredHandler;
import dev.kopf4j.runtime.Task;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * What is remembered of the handling of one object between its cycles, beside the records that are stored on the
 * object. Confined to the object's worker.
 */
final class HandlingMemory {
    /** The calls that go on although they were interrupted, by the ids of their handlers. */
    private final Map<String, Task> orphanedCalls = new HashMap<>();
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

    void addOrphanedCall(RegisteredHandler handler, Task call) {
        orphanedCalls.put(handler.id(), call);
    }

    /** True if an earlier call of the handler goes on although it was interrupted. */
    boolean hasOrphanedCall(RegisteredHandler handler) {
        orphanedCalls.values().removeIf(Task::isFinished);
        return orphanedCalls.containsKey(handler.id());
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
        orphanedCalls.values().removeIf(Task::isFinished);
        return orphanedCalls.isEmpty() && seenStates.isEmpty() && subHandlerIds.isEmpty();
    }
}
