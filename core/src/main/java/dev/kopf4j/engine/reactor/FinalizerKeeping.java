package dev.kopf4j.engine.reactor;

import dev.kopf4j.engine.cause.Cause;
import dev.kopf4j.engine.cause.Deletion;
import dev.kopf4j.engine.cause.Finalizer;
import dev.kopf4j.engine.handling.change.ChangeHandling;
import dev.kopf4j.engine.handling.context.Subject;
import dev.kopf4j.object.Transformation;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/**
 * Sees to it that an object has the finalizer exactly while somebody needs to be called before it is deleted. Confined
 * to one cycle.
 *
 * @param serving what is shared
 * @param initial true if the object was listed, and has not been handled since
 * @param background its daemons and timers
 */
record FinalizerKeeping(ObjectServing serving, boolean initial, Background background) {
    /** Whether an object has the finalizer that it should have. */
    private enum Settlement {
        SETTLED,
        TO_BE_ADDED,
        TO_BE_REMOVED
    }

    /** True if all is as it should be. */
    boolean isSettled(Subject subject, boolean concerned, Cause cause) {
        return settlement(subject, concerned, cause) == Settlement.SETTLED;
    }

    /** What puts the finalizer on, or takes it off; empty if all is as it should be. */
    Optional<Transformation> settling(Subject subject, boolean concerned, Cause cause) {
        return switch (settlement(subject, concerned, cause)) {
            case SETTLED -> Optional.empty();
            case TO_BE_ADDED -> {
                subject.localLogger().debug("Adding the finalizer, thus preventing the actual deletion.");
                yield Optional.of(Transformation.own(body -> settle(subject.with(body))));
            }
            case TO_BE_REMOVED -> {
                subject.localLogger()
                        .debug(
                                Deletion.isRequested(subject.node())
                                        ? "Removing the finalizer, thus allowing the actual deletion."
                                        : "Removing the finalizer, as there are no handlers requiring it.");
                yield Optional.of(Transformation.own(body -> settle(subject.with(body))));
            }
        };
    }

    /**
     * Decides anew: the state may be a newer one by now, in which the finalizer is wanted or not. If there is a
     * conflict even so, the next cycle decides.
     */
    private void settle(Subject state) {
        ObjectNode body = state.node();
        Cause cause = changes()
                .detector()
                .detect(body, false, initial, serving.handlers().fields());
        boolean concerned = changes().concernsAny(serving.handlers().changes(), state, cause);
        switch (settlement(state, concerned, cause)) {
            case SETTLED -> {}
            case TO_BE_ADDED -> finalizer().addTo(body);
            case TO_BE_REMOVED -> finalizer().removeFrom(body);
        }
    }

    private Settlement settlement(Subject state, boolean concerned, Cause cause) {
        boolean needed = background.needsFinalizer(state) || (concerned && isNeededByChanges(state, cause));
        boolean held = finalizer().isOn(state.node());
        if (needed && !held && !Deletion.isRequested(state.node())) {
            return Settlement.TO_BE_ADDED;
        }
        return !needed && held ? Settlement.TO_BE_REMOVED : Settlement.SETTLED;
    }

    /**
     * Whom daemons and timers had held hears of the deletion also where the deletion handlers would not have held it,
     * however soon those have ended.
     */
    private boolean isNeededByChanges(Subject state, Cause cause) {
        return changes().needsFinalizer(serving.handlers().changes(), state, cause)
                || (Deletion.isRequested(state.node()) && background.belongTo(state));
    }

    private ChangeHandling changes() {
        return serving.processing().changes();
    }

    private Finalizer finalizer() {
        return serving.processing().finalizer();
    }
}
