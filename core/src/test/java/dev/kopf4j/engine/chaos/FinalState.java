package dev.kopf4j.engine.chaos;

import dev.kopf4j.engine.cause.Change;
import dev.kopf4j.json.JsonEquality;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/** What must hold when all is calm, and the operator had its time. */
record FinalState(Plan plan, ObjectStore store, Journal journal, Chronicle chronicle, Set<String> everMatched) {
    void check() {
        store.all().forEach(this::check);
    }

    private void check(ObjectNode object) {
        chronicle.note("finally: " + object);
        boolean matches = Objects.label(object, "app").equals("web");
        if (!everMatched.contains(Objects.uid(object)) && Objects.hasTrace(object)) {
            chronicle.violated("an object that matches no handler keeps no trace", object.toString());
        }
        if (Objects.FINALIZER.isOn(object) && (!matches || Objects.isDeleting(object))) {
            chronicle.violated("no finalizer is left behind", object.toString());
        }
        if (matches && !Objects.isDeleting(object)) {
            checkHandled(object);
        }
    }

    private void checkHandled(ObjectNode object) {
        Change change = Objects.change(object);
        if (!JsonEquality.equal(change.oldEssence(), change.newEssence())) {
            chronicle.violated("each object is finally handled", "not handled: " + change.diff() + " of " + object);
        }
        String unaware = plan.tampering() ? null : journal.seen().unaware(object, plan);
        if (unaware != null) {
            chronicle.violated("every handler has finally seen the final state", unaware + "; " + object);
        }
        // If somebody removes the record of a parent, the next process cannot know whose the others are.
        boolean left = plan.tampering() ? Objects.hasProgressOfHandlers(object) : Objects.hasProgress(object);
        if (left) {
            chronicle.violated("no progress is left behind", object.toString());
        }
    }
}
