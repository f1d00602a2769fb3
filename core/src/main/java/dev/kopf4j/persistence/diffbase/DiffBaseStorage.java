package dev.kopf4j.persistence.diffbase;

import dev.kopf4j.json.FieldPath;
import java.util.Collection;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Remembers the essence of an object as it was handled last, to tell later what has changed. An object without one was
 * never handled.
 *
 * <p>Implementations are thread-safe, never change a body, and never throw because of what is stored.
 */
public interface DiffBaseStorage {
    /** Answers the essence that was handled last; null if there is none, or none that can be read. */
    @Nullable ObjectNode fetch(ObjectNode body);

    /**
     * Answers the essence of the object as it is: what people decide on, without system fields and without anything
     * that this storage writes itself. It may share nodes with the body, and so is not to be changed.
     *
     * @param extraFields fields to keep even if they are not essential, since handlers ask for them; never the root
     */
    ObjectNode build(ObjectNode body, Collection<FieldPath> extraFields);

    /** Says for people why the essence cannot be stored on the object, and the way out; null if it can. */
    default @Nullable String whyNotStorable(ObjectNode body, ObjectNode essence) {
        return null;
    }

    /**
     * True if the body has, as the essence handled last, what the patch was made to store; false also if that is not
     * easy to tell.
     */
    default boolean hasStored(ObjectNode patch, ObjectNode body) {
        return false;
    }

    /** Adds to the patch what stores the essence as the one handled last. */
    void store(ObjectNode body, ObjectNode patch, ObjectNode essence);
}
