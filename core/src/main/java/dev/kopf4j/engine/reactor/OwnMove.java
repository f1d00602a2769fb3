package dev.kopf4j.engine.reactor;

import dev.kopf4j.engine.handling.change.Sightings;
import dev.kopf4j.engine.handling.context.Subject;
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
record OwnMove(ObjectServing serving, ObjectNode before, ObjectNode expected) {
    /** What a patch does; null if it leaves alone what matters. */
    static @Nullable OwnMove of(ObjectServing serving, Subject subject, PatchContent content) {
        boolean statusMatters = serving.handlers().fields().stream()
                .anyMatch(field -> field.keys().getFirst().equals("status"));
        if (!statusMatters && serving.processing().ownPart().isAllBesideStatus(content)) {
            return null;
        }
        return new OwnMove(
                serving, essence(serving, subject.node()), essence(serving, content.preview(subject.node())));
    }

    /** The server has answered with that state. */
    void made(ObjectNode answered, Sightings sightings) {
        if (JsonEquality.equal(essence(serving, answered), expected)) {
            sightings.moved(before, expected);
        }
    }

    private static ObjectNode essence(ObjectServing serving, ObjectNode body) {
        return serving.processing()
                .changes()
                .detector()
                .change(body, serving.handlers().fields())
                .newEssence();
    }
}
