package dev.kopf4j.engine.processing;

import dev.kopf4j.engine.handling.change.SeenStates;
import dev.kopf4j.engine.handling.context.ResourceObject;
import dev.kopf4j.json.JsonEquality;
import dev.kopf4j.object.PatchContent;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * What of an object matters before and after a change of the operator's own, if nobody else changes it at the same
 * time.
 *
 * @param before what mattered when the change was sent
 * @param expected what matters then
 */
record OwnChange(ResourceProcessing processing, ObjectNode before, ObjectNode expected) {
    /** What a patch does; null if it leaves alone what matters. */
    static @Nullable OwnChange of(ResourceProcessing serving, ResourceObject resourceObject, PatchContent content) {
        boolean statusMatters = serving.handlers().fields().stream()
                .anyMatch(field -> field.keys().getFirst().equals("status"));
        if (!statusMatters && serving.environment().frameworkPatch().coversAllButStatus(content)) {
            return null;
        }
        return new OwnChange(
                serving,
                essence(serving, resourceObject.node()),
                essence(serving, content.preview(resourceObject.node())));
    }

    /** The server has answered with that state. */
    void confirm(ObjectNode answered, SeenStates seenStates) {
        if (JsonEquality.equal(essence(processing, answered), expected)) {
            seenStates.ownChangeMade(before, expected);
        }
    }

    private static ObjectNode essence(ResourceProcessing serving, ObjectNode body) {
        return serving.environment()
                .changes()
                .detector()
                .change(body, serving.handlers().fields())
                .newEssence();
    }
}
