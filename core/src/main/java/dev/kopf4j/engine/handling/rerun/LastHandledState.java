package dev.kopf4j.engine.handling.rerun;

import dev.kopf4j.Reason;
import dev.kopf4j.engine.cause.Cause;
import dev.kopf4j.engine.cause.Change;
import dev.kopf4j.engine.handling.context.ResourceObject;
import dev.kopf4j.json.JsonEquality;
import dev.kopf4j.persistence.diffbase.DiffBaseStorage;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Stores on objects the essence of the state in which they were handled last. Thread-safe.
 *
 * @param storage where it is stored
 */
public record LastHandledState(DiffBaseStorage storage) {
    /**
     * Why an object cannot be handled: the state that would be remembered in the end cannot be stored on it.
     *
     * @return words for people; null if it can be handled, as deletions always can
     */
    public @Nullable String refusal(ResourceObject object, Cause.Handleable cause) {
        Change change = cause.change();
        return cause.reason() == Reason.DELETE || isUnchanged(change)
                ? null
                : storage.whyNotStorable(object.node(), change.newEssence());
    }

    /** True if that essence can be stored on the object. */
    public boolean fits(ResourceObject object, ObjectNode essence) {
        return storage.whyNotStorable(object.node(), essence) == null;
    }

    /** Adds to the patch the essence in which the object was handled, if it is another one than the stored one. */
    public void storeHandled(ResourceObject object, Cause.Handleable cause, ObjectNode patch) {
        ObjectNode essence = cause.change().newEssence();
        boolean fits = cause.reason() != Reason.DELETE || fits(object, essence);
        if (fits && !isUnchanged(cause.change())) {
            store(object, essence, patch);
        }
    }

    /** Adds an essence to the patch: what has changed since then is still to be handled. */
    public void store(ResourceObject object, ObjectNode essence, ObjectNode patch) {
        storage.store(object.node(), patch, essence);
    }

    private static boolean isUnchanged(Change change) {
        return JsonEquality.equal(change.newEssence(), change.oldEssence());
    }
}
