package dev.kopf4j.engine.processing;

import dev.kopf4j.Reason;
import dev.kopf4j.engine.cause.Cause;
import dev.kopf4j.engine.handling.context.ResourceObject;
import dev.kopf4j.object.PatchContent;
import java.util.HashSet;
import tools.jackson.databind.node.ObjectNode;

/**
 * Tells whether the state after the operator's own change leaves any work. If not, {@link OwnChangeEcho} skips the
 * event of that change: in a storm this is every second event. Confined to one cycle.
 */
record WorkAfterOwnChange(ResourceProcessing processing, ObjectMemory memory) {
    /**
     * True if a cycle of that state would do nothing, and nobody needs to see the state.
     *
     * @param handled the essence that was handled
     * @param patch what was sent then
     */
    boolean isNone(ResourceObject state, ObjectNode handled, ObjectNode patch) {
        return processing.handlers().onlyChanges()
                && !processing.consistencyCheck().isDeletedEventAwaited(memory)
                && !memory.hasUnsentPatch()
                && nothingLeftToDo(state, handled, patch);
    }

    private boolean nothingLeftToDo(ResourceObject state, ObjectNode handled, ObjectNode patch) {
        ObjectAssessor assessor = new ObjectAssessor(
                processing,
                memory.isInitial(),
                new CycleDaemons(processing, memory, state),
                new CycleChildren(processing, memory));
        Cause cause = assessor.causeOf(state, false, processing.changes().changeSince(handled, patch, state.node()));
        return cause.reason() == Reason.NOOP
                && !hasProgress(state)
                && assessor.finalizerOf(assessor.assess(state, cause)) == ObjectAssessor.FinalizerState.AS_NEEDED;
    }

    private boolean hasProgress(ResourceObject state) {
        PatchContent leftovers = new PatchContent();
        processing.changes().undoneChange(state).dropProgress(new HashSet<>(memory.knownSubHandlers()), leftovers);
        return !leftovers.isEmpty();
    }
}
