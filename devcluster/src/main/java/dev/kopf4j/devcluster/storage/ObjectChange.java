package dev.kopf4j.devcluster.storage;

import org.jspecify.annotations.Nullable;

/**
 * One step of one object. Immutable.
 *
 * @param version the version of this step
 * @param before the state before, null for a new object
 * @param after the state after, null for a removed one
 */
public record ObjectChange(
        long version,
        @Nullable StoredObject before,
        @Nullable StoredObject after) {
    /** The state that says what it is about: the one after, or the last one. */
    public StoredObject object() {
        StoredObject shown = after != null ? after : before;
        if (shown == null) {
            throw new IllegalStateException("a change of nothing at version " + version);
        }
        return shown;
    }
}
