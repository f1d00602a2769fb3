package dev.kopf4j.persistence.progress;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Remembers how far the handlers of an unfinished change have come, each under its id.
 *
 * <p>Implementations are thread-safe, never change a body, and never throw because of what is stored.
 */
public interface ProgressStorage {
    /** Answers the record of a handler; null if there is none, or none that can be read. */
    @Nullable ProgressRecord fetch(String key, ObjectNode body);

    /** Answers why no record can be stored under this key, for people; empty if one can. */
    default Optional<String> problem(String key) {
        return Optional.empty();
    }

    /** Adds to the patch what stores the record. */
    void store(String key, ProgressRecord record, ObjectNode body, ObjectNode patch);

    /** Adds to the patch what deletes the record from the object; removes from the patch what would have stored it. */
    void purge(String key, ObjectNode body, ObjectNode patch);

    /**
     * Adds to the patch what changes the dummy field to the value, or deletes it if null; nothing if it is so already.
     */
    void touch(ObjectNode body, ObjectNode patch, @Nullable String value);

    /** Answers the essence without anything that this storage writes itself. The given one is not changed. */
    ObjectNode clear(ObjectNode essence);

    /**
     * Adds to the patch what tells other operators that this one writes to the object; nothing if no marker is needed.
     */
    default void mark(ObjectNode body, ObjectNode patch) {}

    /** Writes out what a custom storage has held back. */
    default void flush() {}
}
