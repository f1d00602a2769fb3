package dev.kopf4j.engine.handling.change;

import dev.kopf4j.engine.handling.registry.RegisteredHandler;
import dev.kopf4j.engine.handling.rerun.SeenStates;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * What is remembered of the handling of one object between its cycles, beside the records that are stored on the
 * object. Confined to the object's worker.
 *
 * @param orphanedCalls the calls that go on although they were interrupted
 * @param seenStates the states that the ended handlers have seen
 * @param subHandlerIds the ids of the sub-handlers that were called for the unfinished change; the records of their
 *     parents name them, too, but somebody may remove these records
 * @param savedCalls how many calls of parents were saved, by their ids: whose turn it is depends on them
 */
public record HandlingMemory(
        OrphanedCalls orphanedCalls,
        SeenStates seenStates,
        Set<String> subHandlerIds,
        Map<String, Integer> savedCalls) {
    /** Nothing yet. */
    public HandlingMemory() {
        this(new OrphanedCalls(), new SeenStates(), new LinkedHashSet<>(), new HashMap<>());
    }

    /** True if an earlier call of the handler goes on although it was interrupted. */
    boolean hasOrphanedCall(RegisteredHandler handler) {
        return orphanedCalls.has(handler);
    }

    /** How many calls of the parent were saved. */
    int savedCalls(RegisteredHandler parent) {
        return savedCalls.getOrDefault(parent.id(), 0);
    }

    /** Counts a call of the parent that was saved. */
    void addSavedCall(RegisteredHandler parent) {
        savedCalls.merge(parent.id(), 1, Integer::sum);
    }

    /** Forgets how far the handling has come: it is over, or will be done by somebody else. */
    public void forgetProgress() {
        seenStates.clear();
        subHandlerIds.clear();
        savedCalls.clear();
    }

    /** True if nothing has to be remembered. */
    public boolean isEmpty() {
        return orphanedCalls.isEmpty() && seenStates.isEmpty() && subHandlerIds.isEmpty();
    }
}
