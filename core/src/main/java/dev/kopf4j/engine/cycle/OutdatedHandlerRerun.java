package dev.kopf4j.engine.cycle;

import dev.kopf4j.HandlerKind;
import dev.kopf4j.engine.call.ProgressState;
import dev.kopf4j.engine.call.ResourceObject;
import dev.kopf4j.engine.cause.Change;
import dev.kopf4j.engine.declaration.RegisteredHandler;
import dev.kopf4j.json.JsonDiff;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The object has changed after some of its handlers had ended. They are called again: the object is stored as handled
 * in the state that they have seen, so that the rest is a new change. Handlers that have seen another state follow
 * after that.
 *
 * @param storedState stores the state that counts as handled
 * @param resourceObject the object as it is now
 * @param change what has changed since it was handled
 * @param seenStates what the handlers have seen
 * @param outdated the ids of the handlers that are called again
 * @param since the state that they have seen
 * @param hearing the handlers that are called for changes. One without a seen state was not concerned: it has nothing
 *     to do for the new state, but its filters must be asked about the stored one
 */
record OutdatedHandlerRerun(
        StoredState storedState,
        ResourceObject resourceObject,
        Change change,
        SeenStates seenStates,
        Set<String> outdated,
        ObjectNode since,
        List<RegisteredHandler> hearing) {
    /** The rerun after all handlers of a change have ended; null if none of them has seen an outdated state. */
    static @Nullable OutdatedHandlerRerun of(
            StoredState storedState,
            List<RegisteredHandler> handlers,
            ResourceObject resourceObject,
            Change change,
            SeenStates seenStates) {
        return seenStates
                .earlierThan(change.newEssence())
                .filter(since -> storedState.fits(resourceObject, since))
                .map(since -> new OutdatedHandlerRerun(
                        storedState,
                        resourceObject,
                        change,
                        seenStates,
                        seenStates.endedWith(since),
                        since,
                        hearing(handlers, change.oldEssence() == null)))
                .orElse(null);
    }

    /** Update handlers are not called for a creation: they have to see all changes after it. */
    private static List<RegisteredHandler> hearing(List<RegisteredHandler> handlers, boolean creation) {
        return handlers.stream()
                .filter(handler -> handler.needsChange() && !(creation && handler.kind() == HandlerKind.UPDATE))
                .toList();
    }

    /** Lets all handlers be called again that the rest of the change concerns. */
    void rerunAll(ProgressState state, ObjectNode patch) {
        state.purge(resourceObject.node(), patch);
        begin(patch);
    }

    /** Lets only the outdated handlers be called again: those that have seen the newest state keep their progress. */
    void rerunOutdated(ProgressState state, ObjectNode patch) {
        Set<String> again = state.restart(outdated);
        state.store(resourceObject.node(), patch);
        state.flush();
        state.purge(again, resourceObject.node(), patch);
        begin(patch);
    }

    private void begin(ObjectNode patch) {
        seenStates.noteOthers(hearing.stream().map(RegisteredHandler::id).toList(), change.newEssence());
        ObjectNode stored = change.oldEssence() == null ? agreed() : since;
        storedState.storeHandled(resourceObject, stored, patch);
        // This leaves out handlers that start anew only because of others: if the object returns to that state, they
        // must be called.
        seenStates.callAgain(outdated, since, stored);
    }

    /**
     * The state that is stored as handled after a creation: without the fields that another handler has seen in another
     * state. No records stay after a creation, so nobody would know of that after a restart; if the object returned to
     * the stored state, that handler would not be called.
     */
    private ObjectNode agreed() {
        ObjectNode stored = since.deepCopy();
        for (RegisteredHandler handler : hearing) {
            ObjectNode seen = seenStates.of(handler.id());
            if (seen != null) {
                JsonDiff.between(since, seen).items().stream()
                        .map(JsonDiff.Item::field)
                        .filter(field -> field.startsWith(handler.field())
                                || handler.field().startsWith(field))
                        .forEach(field -> field.remove(stored));
            }
        }
        return stored;
    }
}
