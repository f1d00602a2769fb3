package dev.kopf4j.engine.handling;

import dev.kopf4j.engine.cause.Change;
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
 */
record Repetition(
        ChangeHandling handling, Subject subject, Sightings sightings, Set<String> outdated, ObjectNode since) {
    /** What has to be repeated of a change whose handlers have all ended; null if there is nothing. */
    static @Nullable Repetition of(ChangeHandling handling, Subject subject, Change change, Sightings sightings) {
        return sightings
                .earlierThan(change.newEssence())
                .filter(since -> handling.fits(subject, since))
                .map(since -> new Repetition(handling, subject, sightings, sightings.endedWith(since), since))
                .orElse(null);
    }

    /** All handlers that are concerned by the rest of the change are called for it. */
    void ofAll(HandlingState state, ObjectNode patch) {
        state.purge(subject.node(), patch);
        handling.rememberEarlier(subject, since, patch);
        sightings.callAgain(outdated, since);
    }

    /** Those that have seen the newest state keep their progress, and are not called again. */
    void ofOutdated(HandlingState state, ObjectNode patch) {
        Set<String> again = state.restart(outdated);
        state.store(subject.node(), patch);
        state.purge(again, subject.node(), patch);
        handling.rememberEarlier(subject, since, patch);
        // Not those that begin anew for the sake of others: if the object comes back to that state, they must hear of
        // it.
        sightings.callAgain(outdated, since);
    }
}
