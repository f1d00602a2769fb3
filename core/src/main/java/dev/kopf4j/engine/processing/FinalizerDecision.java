package dev.kopf4j.engine.processing;

import dev.kopf4j.engine.cause.Cause;
import dev.kopf4j.engine.cause.DeletionState;
import dev.kopf4j.engine.cause.Finalizer;
import dev.kopf4j.engine.handling.change.ChangeHandling;
import dev.kopf4j.engine.handling.context.ResourceObject;
import dev.kopf4j.object.PatchTransformation;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/**
 * Sees to it that an object has the finalizer exactly while somebody needs to be called before it is deleted. Confined
 * to one cycle.
 *
 * @param processing what is shared
 * @param initial true if the object was listed, and has not been handled since
 * @param cycleDaemons its daemons and timers
 */
record FinalizerDecision(ResourceProcessing processing, boolean initial, CycleDaemons cycleDaemons) {
    /** Whether an object has the finalizer that it should have. */
    private enum FinalizerState {
        SETTLED,
        TO_BE_ADDED,
        TO_BE_REMOVED
    }

    /** True if all is as it should be. */
    boolean isAsNeeded(ResourceObject resourceObject, boolean concerned, Cause cause) {
        return stateOf(resourceObject, concerned, cause) == FinalizerState.SETTLED;
    }

    /** What puts the finalizer on, or takes it off; empty if all is as it should be. */
    Optional<PatchTransformation> neededChange(ResourceObject resourceObject, boolean concerned, Cause cause) {
        return switch (stateOf(resourceObject, concerned, cause)) {
            case SETTLED -> Optional.empty();
            case TO_BE_ADDED -> {
                resourceObject.localLogger().debug("Adding the finalizer, thus preventing the actual deletion.");
                yield Optional.of(PatchTransformation.frameworkPatch(body -> decideAnew(resourceObject.with(body))));
            }
            case TO_BE_REMOVED -> {
                resourceObject
                        .localLogger()
                        .debug(
                                DeletionState.isRequested(resourceObject.node())
                                        ? "Removing the finalizer, thus allowing the actual deletion."
                                        : "Removing the finalizer, as there are no handlers requiring it.");
                yield Optional.of(PatchTransformation.frameworkPatch(body -> decideAnew(resourceObject.with(body))));
            }
        };
    }

    /**
     * Decides anew: the state may be a newer one by now, in which the finalizer is wanted or not. If there is a
     * conflict even so, the next cycle decides.
     */
    private void decideAnew(ResourceObject state) {
        ObjectNode body = state.node();
        Cause cause = changes()
                .detector()
                .detect(body, false, initial, processing.handlers().fields());
        boolean concerned = changes().concernsAny(processing.handlers().changes(), state, cause);
        switch (stateOf(state, concerned, cause)) {
            case SETTLED -> {}
            case TO_BE_ADDED -> finalizer().addTo(body);
            case TO_BE_REMOVED -> finalizer().removeFrom(body);
        }
    }

    private FinalizerState stateOf(ResourceObject state, boolean concerned, Cause cause) {
        boolean needed = cycleDaemons.needsFinalizer(state) || (concerned && isNeededByChanges(state, cause));
        boolean held = finalizer().isOn(state.node());
        if (needed && !held && !DeletionState.isRequested(state.node())) {
            return FinalizerState.TO_BE_ADDED;
        }
        return !needed && held ? FinalizerState.TO_BE_REMOVED : FinalizerState.SETTLED;
    }

    /**
     * Whom daemons and timers had held hears of the deletion also where the deletion handlers would not have held it,
     * however soon those have ended.
     */
    private boolean isNeededByChanges(ResourceObject state, Cause cause) {
        return changes().needsFinalizer(processing.handlers().changes(), state, cause)
                || (DeletionState.isRequested(state.node()) && cycleDaemons.anyMatching(state));
    }

    private ChangeHandling changes() {
        return processing.environment().changes();
    }

    private Finalizer finalizer() {
        return processing.environment().finalizer();
    }
}
