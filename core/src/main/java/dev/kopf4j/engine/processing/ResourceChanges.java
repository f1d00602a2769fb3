package dev.kopf4j.engine.processing;

import dev.kopf4j.engine.cause.Cause;
import dev.kopf4j.engine.cause.Change;
import dev.kopf4j.engine.handling.change.ChangeHandling;
import dev.kopf4j.engine.handling.context.ResourceObject;
import dev.kopf4j.engine.handling.registry.ResourceHandlers;
import dev.kopf4j.engine.handling.rerun.UndoneChange;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Tells what has changed in the objects of one resource, and whether that concerns its handlers. Thread-safe.
 *
 * @param handling handles changes
 * @param handlers the handlers of the resource
 */
record ResourceChanges(ChangeHandling handling, ResourceHandlers handlers) {
    /** What has changed since the object was last handled. */
    Change change(ObjectNode body) {
        return handling.detector().change(body, handlers.fields());
    }

    /**
     * What has changed since the object was last handled, where the operator itself has just stored how that was.
     *
     * @param handled the essence that was handled then
     * @param patch what was sent then
     */
    Change changeSince(ObjectNode handled, ObjectNode patch, ObjectNode body) {
        return handling.detector().changeSince(handled, patch, body, handlers.fields());
    }

    /** Adds to the patch the removal of the annotation or field by which an older Python operator wakes itself up. */
    void removeTouch(ObjectNode body, ObjectNode patch) {
        handling.removeTouch(body, patch);
    }

    /** The part of a state that matters to handlers. */
    ObjectNode essenceOf(ObjectNode body) {
        return handling.detector().essence(body, handlers.fields());
    }

    /** The part of a state that matters to daemons and timers. */
    ObjectNode daemonEssenceOf(ObjectNode body) {
        return handling.detector().essence(body, handlers.backgroundFields());
    }

    /**
     * What happened to an object; asks no filters.
     *
     * @param gone true if the object does not exist any more
     * @param initial true if it was listed, and has not been handled since
     */
    Cause cause(ResourceObject state, boolean gone, boolean initial, Change change) {
        return handling.detector().detect(state.node(), gone, initial, change);
    }

    /** Why the object cannot be handled, in words for people; null if it can. */
    @Nullable String refusal(ResourceObject state, Cause.Handleable cause) {
        return handling.lastHandled().refusal(state, cause);
    }

    /** True if any change handler could be interested in the cause. */
    boolean concernsAny(ResourceObject state, Cause cause) {
        return handling.concernsAny(handlers.changes(), state, cause);
    }

    /** True if a change handler wants to be called before the object is deleted. */
    boolean needsFinalizer(ResourceObject state, Cause cause) {
        return handling.needsFinalizer(handlers.changes(), state, cause);
    }

    /** An object in which nothing has changed that matters. */
    UndoneChange undoneChange(ResourceObject state) {
        return new UndoneChange(handling.lastHandled(), handling.progress(), handlers.changes(), state);
    }
}
