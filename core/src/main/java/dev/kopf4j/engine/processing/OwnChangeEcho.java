package dev.kopf4j.engine.processing;

import dev.kopf4j.Reason;
import dev.kopf4j.engine.cause.Cause;
import dev.kopf4j.engine.cause.Change;
import dev.kopf4j.engine.handling.change.ChangeHandling;
import dev.kopf4j.engine.handling.context.ResourceObject;
import dev.kopf4j.engine.handling.registry.ResourceHandlers;
import dev.kopf4j.object.PatchContent;
import java.util.HashSet;
import tools.jackson.databind.node.ObjectNode;

/**
 * Tells whether nothing is left to be done in the state that the operator's own change has led to, so that its event
 * need not be looked at when it comes: in a storm that is every second one. Confined to one cycle.
 */
record OwnChangeEcho(ResourceProcessing processing, ObjectMemory slot) {
    /**
     * True if a cycle of that state would do nothing, and nobody needs to see the state.
     *
     * @param handled the essence that was handled
     * @param patch what was sent then
     */
    boolean needsNoCycle(ResourceObject state, ObjectNode handled, ObjectNode patch) {
        return handlers().onlyChanges()
                && !slot.awaitsDeletedEvent
                && !slot.hasUnsentPatch()
                && isDone(state, handled, patch);
    }

    private boolean isDone(ResourceObject state, ObjectNode handled, ObjectNode patch) {
        Change change = changes()
                .detector()
                .changeSince(handled, patch, state.node(), handlers().fields());
        Cause cause = changes().detector().detect(state.node(), false, slot.isInitial(), change);
        if (cause.reason() != Reason.NOOP) {
            return false;
        }
        boolean concerned = changes().concernsAny(handlers().changes(), state, cause);
        PatchContent leftovers = new PatchContent();
        changes().dropProgress(handlers(), state, new HashSet<>(slot.knownSubHandlers()), leftovers);
        return leftovers.isEmpty()
                && new FinalizerDecision(processing, slot.isInitial(), new CycleDaemons(processing, slot, state))
                        .isAsNeeded(state, concerned, cause);
    }

    private ResourceHandlers handlers() {
        return processing.handlers();
    }

    private ChangeHandling changes() {
        return processing.environment().changes();
    }
}
