package dev.kopf4j.engine.processing;

import dev.kopf4j.engine.cause.Cause;
import dev.kopf4j.engine.cause.Change;
import dev.kopf4j.engine.cause.DeletionState;
import dev.kopf4j.engine.handling.context.ResourceObject;
import tools.jackson.databind.node.ObjectNode;

/**
 * Assesses the states of an object: what happened, whether that concerns any handler, and whether the object has the
 * finalizer as it should. Asks the filters of handlers. Confined to one cycle.
 *
 * @param processing what is shared
 * @param initial true if the object was listed, and has not been handled since
 * @param cycleDaemons its daemons and timers
 * @param cycleChildren its children
 */
record ObjectAssessor(
        ResourceProcessing processing, boolean initial, CycleDaemons cycleDaemons, CycleChildren cycleChildren) {
    /** Whether an object has the finalizer as it should. */
    enum FinalizerState {
        AS_NEEDED,
        TO_BE_ADDED,
        TO_BE_REMOVED
    }

    /**
     * Assesses a state.
     *
     * @param gone true if the object does not exist any more
     * @param change what has changed since it was handled last
     */
    ObjectAssessment assess(ResourceObject state, boolean gone, Change change) {
        return assess(state, causeOf(state, gone, change));
    }

    /** Assesses a state of an object that exists. */
    ObjectAssessment assess(ResourceObject state) {
        return assess(state, false, processing.changes().change(state.node()));
    }

    /** Assesses a state of which it is known what happened. */
    ObjectAssessment assess(ResourceObject state, Cause cause) {
        return new ObjectAssessment(state, cause, processing.changes().concernsAny(state, cause));
    }

    /** What happened; asks no filters. */
    Cause causeOf(ResourceObject state, boolean gone, Change change) {
        return processing.changes().cause(state, gone, initial, change);
    }

    /**
     * Tells whether the object has the finalizer as it should. This is asked later than the rest, as daemons that were
     * stopped meanwhile do not need the finalizer any more.
     */
    FinalizerState finalizerOf(ObjectAssessment assessment) {
        ResourceObject state = assessment.state();
        ObjectNode body = state.node();
        boolean needed = cycleDaemons.needsFinalizer(state)
                || cycleChildren.needFinalizer(state)
                || (assessment.concerned() && changesNeedFinalizer(state, assessment.cause()));
        boolean held = processing.finalizer().isOn(body);
        if (needed && !held && !DeletionState.isRequested(body)) {
            return FinalizerState.TO_BE_ADDED;
        }
        return !needed && held ? FinalizerState.TO_BE_REMOVED : FinalizerState.AS_NEEDED;
    }

    /**
     * If daemons or timers held the object, its deletion handlers are called, too, even optional ones, and even if the
     * daemons have ended meanwhile.
     */
    private boolean changesNeedFinalizer(ResourceObject state, Cause cause) {
        return processing.changes().needsFinalizer(state, cause)
                || (DeletionState.isRequested(state.node()) && cycleDaemons.anyMatching(state));
    }
}
