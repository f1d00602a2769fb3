package dev.kopf4j.engine.chaos;

import dev.kopf4j.engine.cause.Cause.Change;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonEquality;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/** Checks what must hold when the world is calm and the operator had its time. */
record FinalState(
        WorldPlan worldPlan,
        ObjectStore store,
        HandlerCallJournal handlerCallJournal,
        WorldHistory worldHistory,
        Set<String> everMatched) {
    void check() {
        store.all().forEach(this::check);
    }

    private void check(ObjectNode object) {
        worldHistory.note("finally: " + Json.text(object));
        boolean matches = StoredState.label(object, "app").equals("web");
        if (!everMatched.contains(StoredState.uid(object)) && StoredState.hasTrace(object)) {
            worldHistory.violated("an object that matches no handler keeps no trace", Json.text(object));
        }
        if (StoredState.FINALIZER.isOn(object) && (!matches || StoredState.isDeleting(object))) {
            worldHistory.violated("no finalizer is left behind", Json.text(object));
        }
        if (matches && !StoredState.isDeleting(object)) {
            checkHandled(object);
        }
    }

    private void checkHandled(ObjectNode object) {
        Change change = StoredState.change(object);
        if (!JsonEquality.equal(change.oldEssence(), change.newEssence())) {
            worldHistory.violated(
                    "each object is finally handled", "not handled: " + change.diff() + " of " + Json.text(object));
        }
        String unaware =
                worldPlan.tampering() ? null : handlerCallJournal.seen().unaware(object, worldPlan);
        if (unaware != null) {
            worldHistory.violated("every handler has finally seen the final state", unaware + "; " + Json.text(object));
        }
        // If somebody removes the record of a parent, the next process cannot know whose the others are.
        boolean left =
                worldPlan.tampering() ? StoredState.hasProgressOfHandlers(object) : StoredState.hasProgress(object);
        if (left) {
            worldHistory.violated("no progress is left behind", Json.text(object));
        }
    }
}
