package dev.kopf4j.persistence.progress;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Stores how far the handlers of an unfinished change have come, each under its id.
 *
 * <p>Implementations are thread-safe, never change a body, and never throw because of what is stored.
 */
public interface ProgressPersistence {
    /** Returns the record of a handler; null if there is none that can be read. */
    @Nullable ProgressRecord fetch(String key, ObjectNode body);

    /** Returns why no record can be stored under this key; empty if one can. */
    default Optional<String> problem(String key) {
        return Optional.empty();
    }

    /** Adds to the patch the fields that store the record. */
    void store(String key, ProgressRecord record, ObjectNode body, ObjectNode patch);

    /**
     * Adds to the patch the nulls that delete the record from the object; removes fields that the patch would store.
     */
    void purge(String key, ObjectNode body, ObjectNode patch);

    /**
     * Sets the dummy field to the value in the patch, or deletes it (null); does nothing if the object has that
     * already.
     */
    void touch(ObjectNode body, ObjectNode patch, @Nullable String value);

    /** Returns the essence without the fields of this storage. The given essence is not changed. */
    ObjectNode clear(ObjectNode essence);

    /** Adds to the patch the marker that tells other operators of this one; does nothing if no marker is needed. */
    default void mark(ObjectNode body, ObjectNode patch) {}

    /** Lets a custom storage write what it has held back. */
    default void flush() {}
}
