package dev.kopf4j.engine.handling.change;

/**
 * What is remembered of the handling of one object from cycle to cycle, besides what is stored on it. Confined to the
 * object's worker.
 *
 * @param leftBehind the calls that go on although they were interrupted
 * @param sightings what the handlers that have ended have seen
 */
public record HandlingMemory(LeftBehind leftBehind, Sightings sightings) {
    /** Nothing yet. */
    public HandlingMemory() {
        this(new LeftBehind(), new Sightings());
    }

    /** True if nothing has to be remembered. */
    public boolean isEmpty() {
        return leftBehind.isEmpty() && sightings.isEmpty();
    }
}
