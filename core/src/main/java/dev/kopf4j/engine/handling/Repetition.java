package dev.kopf4j.engine.handling;

import dev.kopf4j.HandlerKind;
import dev.kopf4j.engine.cause.Change;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Some handlers have come to their ends before the object has changed once more, and have to hear of that: the object
 * counts as handled in the state that they have seen, so that the rest of the change is the next one. Those that have
 * seen another state have their turn after that.
 *
 * @param outdated the ids of the handlers
 * @param since the state that they have seen
 * @param bystanders the ids of the handlers that the change was none of the business of: if they have not seen another
 *     state, they are through with its new one, and not with the one that counts as handled now
 */
record Repetition(
        ChangeHandling handling,
        Subject subject,
        Change change,
        Sightings sightings,
        Set<String> outdated,
        ObjectNode since,
        Set<String> bystanders) {
    /** What has to be repeated of a change whose handlers have all ended; null if there is nothing. */
    static @Nullable Repetition of(
            ChangeHandling handling,
            List<RegisteredHandler> handlers,
            Subject subject,
            Change change,
            Sightings sightings) {
        return sightings
                .earlierThan(change.newEssence())
                .filter(since -> handling.fits(subject, since))
                .map(since -> new Repetition(
                        handling,
                        subject,
                        change,
                        sightings,
                        sightings.endedWith(since),
                        since,
                        hearing(handlers, change.oldEssence() == null)))
                .orElse(null);
    }

    /** Those that can hear of changes. At a creation only those that hear of it as well, the others begin after it. */
    private static Set<String> hearing(List<RegisteredHandler> handlers, boolean creation) {
        return handlers.stream()
                .filter(handler -> handler.needsChange() && !(creation && handler.kind() == HandlerKind.UPDATE))
                .map(RegisteredHandler::id)
                .collect(Collectors.toSet());
    }

    /** All handlers that are concerned by the rest of the change are called for it. */
    void ofAll(HandlingState state, ObjectNode patch) {
        state.purgeWithStrays(subject.node(), patch);
        begin(patch);
    }

    /** Those that have seen the newest state keep their progress, and are not called again. */
    void ofOutdated(HandlingState state, ObjectNode patch) {
        Set<String> again = state.restart(outdated);
        state.store(subject.node(), patch);
        state.purge(again, subject.node(), patch);
        begin(patch);
    }

    private void begin(ObjectNode patch) {
        handling.rememberEarlier(subject, since, patch);
        sightings.noteOthers(bystanders, change.newEssence());
        // Not those that begin anew for the sake of others: if the object comes back to that state, they must hear of
        // it.
        sightings.callAgain(outdated, since);
    }
}
