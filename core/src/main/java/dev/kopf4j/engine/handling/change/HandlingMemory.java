package dev.kopf4j.engine.handling.change;

import java.util.LinkedHashSet;
import java.util.Set;

/**
 * What is remembered of the handling of one object from cycle to cycle, besides what is stored on it. Confined to the
 * object's worker.
 *
 * @param leftBehind the calls that go on although they were interrupted
 * @param sightings what the handlers that have ended have seen
 * @param children the ids of the sub-handlers that were called for the unfinished change: their parents' records tell
 *     of them, too, but somebody may remove these
 */
public record HandlingMemory(LeftBehind leftBehind, Sightings sightings, Set<String> children) {
    /** Nothing yet. */
    public HandlingMemory() {
        this(new LeftBehind(), new Sightings(), new LinkedHashSet<>());
    }

    /** Forgets how far the handling has come: it is over, or will be done by somebody else. */
    public void forgetProgress() {
        sightings.clear();
        children.clear();
    }

    /** True if nothing has to be remembered. */
    public boolean isEmpty() {
        return leftBehind.isEmpty() && sightings.isEmpty() && children.isEmpty();
    }
}
