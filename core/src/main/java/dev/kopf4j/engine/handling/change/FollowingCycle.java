package dev.kopf4j.engine.handling.change;

import dev.kopf4j.engine.cause.Cause;
import dev.kopf4j.engine.cause.Change;
import dev.kopf4j.engine.handling.context.InvocationCause;
import dev.kopf4j.engine.handling.context.ResourceObject;
import dev.kopf4j.engine.handling.registry.RegisteredHandler;
import dev.kopf4j.engine.handling.registry.ResourceHandlers;
import dev.kopf4j.engine.handling.rerun.SeenStates;
import dev.kopf4j.engine.handling.selection.HandlerSelection;
import dev.kopf4j.json.JsonEquality;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Tells what the following cycle would begin with if everything so far were written and had come back, and nobody else
 * had changed the object: the cause, the difference and the selection are made anew from that state, as the lifecycle
 * {@code asap} makes them behind a PATCH. The following cycle has to be a real one if its reason is another one, or if
 * it has something else to do first. Confined to the object's worker.
 *
 * @param handlers the handlers of the resource
 * @param seenStates know the state that counts as handled where the object has stored a part of it only
 * @param check tells whether there is something else to do first
 */
record FollowingCycle(
        ChangeHandling handling, ResourceHandlers handlers, SeenStates seenStates, FollowingCycleCheck check) {
    /**
     * What the following cycle begins with.
     *
     * @param before what the cycle before it has begun with
     * @param object the object in the state that the following cycle would find
     * @return null if it has to be a real one
     */
    @Nullable CycleStart after(CycleStart before, ResourceObject object) {
        Cause.Handleable known = before.cause().cause();
        Change change = change(object, known.change());
        Cause cause = handling.detector().detect(object.node(), false, known.initial(), change);
        boolean same = isSame(change, known.change());
        return cause instanceof Cause.Handleable handleable
                        && handleable.reason() == known.reason()
                        && (same || handling.lastHandled().refusal(object, handleable) == null)
                        && check.beginsWithHandlers(object, handleable)
                ? start(before, object, same ? before.cause() : new InvocationCause.Changing(handleable), same)
                : null;
    }

    private @Nullable CycleStart start(
            CycleStart before, ResourceObject object, InvocationCause.Changing cause, boolean same) {
        List<RegisteredHandler> selected =
                HandlerSelection.forChange(handlers.changes(), object, cause, handling.contexts());
        if (selected.isEmpty()) {
            return null;
        }
        check.begins();
        return new CycleStart(object, cause, selected, before.changes() + (same ? 0 : 1));
    }

    /** The known change if it is still the same; then the last-handled state is not read again. */
    private Change change(ResourceObject object, Change known) {
        ObjectNode essence = handling.detector().essence(object.node(), handlers.fields());
        return JsonEquality.equal(essence, known.newEssence())
                ? known
                : seenStates.sinceSeenState(handling.detector().change(object.node(), handlers.fields()));
    }

    @SuppressWarnings("ReferenceEquality") // the question is whether there is another one, not what it says
    private static boolean isSame(Change change, Change known) {
        return change == known;
    }
}
