package dev.kopf4j.persistence.diffbase;

import dev.kopf4j.json.FieldPath;
import java.util.Collection;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Stores the essence of an object as it was handled last (the diff-base), to find out later what has changed. An object
 * without one was never handled.
 *
 * <p>Implementations are thread-safe, never change a body, and never throw because of what is stored.
 */
public interface DiffBasePersistence {
    /** Returns the essence that was handled last; null if there is none that can be read. */
    @Nullable ObjectNode fetch(ObjectNode body);

    /**
     * Returns the essence of the object as it is now: the fields that people decide on, without system fields and the
     * fields of this storage. It may share nodes with the body, so it must not be changed.
     *
     * @param extraFields fields to keep even if they are not essential, because handlers ask for them; never the root
     */
    ObjectNode build(ObjectNode body, Collection<FieldPath> extraFields);

    /** Returns why the essence cannot be stored on the object, and the way out; null if it can. */
    default @Nullable String whyNotStorable(ObjectNode body, ObjectNode essence) {
        return null;
    }

    /**
     * True if the body holds that very essence: {@link #fetch} would return the same. May be false where finding out
     * would be as expensive.
     */
    default boolean holds(ObjectNode body, ObjectNode essence) {
        return false;
    }

    /**
     * About how many bytes of memory {@link #fetch} takes for an essence that is stored compressed, rather too many
     * than too few; 0 if it is not. Needs as much memory as the text of the essence, for a moment.
     */
    default long unpackedBytes(ObjectNode body) {
        return 0;
    }

    /**
     * True if the body already holds the essence that the patch was made to store. May be false where finding out would
     * be expensive.
     */
    default boolean hasStored(ObjectNode patch, ObjectNode body) {
        return false;
    }

    /**
     * Adds to the patch the nulls that delete the essence: the object counts as never handled then.
     *
     * @return false if this storage cannot do that
     */
    default boolean purge(ObjectNode body, ObjectNode patch) {
        return false;
    }

    /** Adds to the patch the fields that store the essence. */
    void store(ObjectNode body, ObjectNode patch, ObjectNode essence);
}
