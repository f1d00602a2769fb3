package dev.kopf4j.devcluster.storage;

import org.jspecify.annotations.Nullable;

/**
 * One change of one object. Immutable.
 *
 * @param version the version of the change
 * @param before the former state; null if the object is new
 * @param after the new state; null if the object is removed
 */
public record ObjectChange(
        long version,
        @Nullable StoredObject before,
        @Nullable StoredObject after) {
    /** The new state, or the last one of a removed object. */
    public StoredObject object() {
        StoredObject shown = after != null ? after : before;
        if (shown == null) {
            throw new IllegalStateException("a change without a former or new state, at version " + version);
        }
        return shown;
    }
}
