package dev.kopf4j.engine.patching;

import dev.kopf4j.json.Json;
import dev.kopf4j.json.MergePatch;
import dev.kopf4j.object.ConditionChanges;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What one merge patch says. Immutable.
 *
 * @param fragment of the object
 * @param conditions what is said of single conditions: a merge patch can only set the whole list
 */
record MergePart(ObjectNode fragment, ConditionChanges conditions) {
    /** The patch for an object in that state; null if nothing is to be changed. */
    @Nullable ObjectNode payload(ObjectNode newest) {
        ArrayNode list = conditions.isEmpty() ? null : conditions.differenceTo(MergePatch.overlay(newest, fragment));
        if (list == null && fragment.isEmpty()) {
            return null;
        }
        ObjectNode payload = fragment.deepCopy();
        if (list != null) {
            status(payload, newest).set("conditions", list);
        }
        return payload;
    }

    /**
     * What must hold for the patch: if it sets the list of conditions, it is for no other state, as otherwise the
     * conditions of others would be lost that have come meanwhile.
     */
    PatchPreconditions preconditions(ObjectNode payload, PatchPreconditions otherwise) {
        boolean setsList = !conditions.isEmpty() && payload.path("status").has("conditions");
        return setsList ? PatchPreconditions.SAME_VERSION : otherwise;
    }

    /** If all of the status is to be removed, its fields are, one by one. */
    private static ObjectNode status(ObjectNode payload, ObjectNode newest) {
        if (!payload.path("status").isNull()) {
            return payload.withObject("/status");
        }
        ObjectNode removals = Json.object();
        newest.path("status").propertyNames().forEach(removals::putNull);
        payload.set("status", removals);
        return removals;
    }
}
