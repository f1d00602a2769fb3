package dev.kopf4j.engine.processing;

import dev.kopf4j.engine.handling.context.ResourceObject;
import dev.kopf4j.engine.handling.rerun.SeenStates;
import dev.kopf4j.json.JsonEquality;
import dev.kopf4j.object.PatchContent;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The essence of an object before and after the operator's own change, provided that nobody else changes the object at
 * the same time.
 *
 * @param before the essence when the change was sent
 * @param expected the essence after it
 */
record OwnChange(ResourceProcessing processing, ObjectNode before, ObjectNode expected) {
    /** The change that a patch makes; null if it leaves the essence alone. */
    static @Nullable OwnChange of(ResourceProcessing processing, ResourceObject object, PatchContent content) {
        boolean statusMatters = processing.handlers().fields().stream()
                .anyMatch(field -> field.keys().getFirst().equals("status"));
        if (!statusMatters && processing.frameworkPatch().coversAllButStatus(content)) {
            return null;
        }
        return new OwnChange(
                processing,
                processing.changes().essenceOf(object.node()),
                processing.changes().essenceOf(content.previewAll(object.node())));
    }

    /** The server has answered with that state. */
    void confirm(ObjectNode answered, SeenStates seenStates) {
        if (JsonEquality.equal(processing.changes().essenceOf(answered), expected)) {
            seenStates.ownChangeMade(before, expected);
        }
    }
}
