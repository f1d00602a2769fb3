package dev.kopf4j.engine.handling.change;

import dev.kopf4j.HandlerKind;
import dev.kopf4j.engine.cause.Change;
import dev.kopf4j.engine.handling.context.ResourceObject;
import dev.kopf4j.engine.handling.progress.ProgressState;
import dev.kopf4j.engine.handling.registry.RegisteredHandler;
import dev.kopf4j.json.JsonDiff;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Some handlers have come to their ends before the object has changed once more, and have to hear of that: the object
 * counts as handled in the state that they have seen, so that the rest of the change is the next one. Those that have
 * seen another state have their turn after that.
 *
 * @param outdated the ids of the handlers
 * @param since the state that they have seen
 * @param hearing the handlers that hear of changes: if they have not seen another state, the change was none of their
 *     business, and they are through with its new state, but not with the one that counts as handled now
 */
record OutdatedHandlerRerun(
        ChangeHandling handling,
        ResourceObject resourceObject,
        Change change,
        SeenStates seenStates,
        Set<String> outdated,
        ObjectNode since,
        List<RegisteredHandler> hearing) {
    /** What has to be repeated of a change whose handlers have all ended; null if there is nothing. */
    static @Nullable OutdatedHandlerRerun of(
            ChangeHandling handling,
            List<RegisteredHandler> handlers,
            ResourceObject resourceObject,
            Change change,
            SeenStates seenStates) {
        return seenStates
                .earlierThan(change.newEssence())
                .filter(since -> handling.fits(resourceObject, since))
                .map(since -> new OutdatedHandlerRerun(
                        handling,
                        resourceObject,
                        change,
                        seenStates,
                        seenStates.endedWith(since),
                        since,
                        hearing(handlers, change.oldEssence() == null)))
                .orElse(null);
    }

    /** At a creation only those that hear of it as well: the others begin after it. */
    private static List<RegisteredHandler> hearing(List<RegisteredHandler> handlers, boolean creation) {
        return handlers.stream()
                .filter(handler -> handler.needsChange() && !(creation && handler.kind() == HandlerKind.UPDATE))
                .toList();
    }

    /** All handlers that are concerned by the rest of the change are called for it. */
    void rerunAll(ProgressState state, ObjectNode patch) {
        state.purge(resourceObject.node(), patch);
        begin(patch);
    }

    /** Those that have seen the newest state keep their progress, and are not called again. */
    void rerunOutdated(ProgressState state, ObjectNode patch) {
        Set<String> again = state.restart(outdated);
        state.store(resourceObject.node(), patch);
        state.purge(again, resourceObject.node(), patch);
        begin(patch);
    }

    private void begin(ObjectNode patch) {
        seenStates.noteOthers(hearing.stream().map(RegisteredHandler::id).toList(), change.newEssence());
        ObjectNode stored = change.oldEssence() == null ? agreed() : since;
        handling.rememberEarlier(resourceObject, stored, patch);
        // Not those that begin anew for the sake of others: if the object comes back to that state, they must hear of
        // it.
        seenStates.callAgain(outdated, since, stored);
    }

    /**
     * The state that counts as handled after a creation, of which no records stay, without what a handler has seen
     * otherwise: after a restart nobody would know, and if the object had that state again, the handler would not hear
     * of it.
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
