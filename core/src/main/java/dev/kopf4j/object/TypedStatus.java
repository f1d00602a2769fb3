package dev.kopf4j.object;

import dev.kopf4j.json.Json;
import dev.kopf4j.json.MergeDifference;
import tools.jackson.databind.node.ObjectNode;

/**
 * A status in a type of the user's own. Immutable.
 *
 * @param fields its fields; null for those that are to be removed
 */
record TypedStatus(ObjectNode fields) {
    /**
     * The status that a record, bean or map says.
     *
     * @throws IllegalArgumentException if it has no fields
     */
    static TypedStatus of(Object status) {
        if (!(Json.fromJava(status) instanceof ObjectNode fields)) {
            throw new IllegalArgumentException("a status has fields, but "
                    + status.getClass().getName() + " is written as " + Json.fromJava(status)
                    + "; give a record, a bean or a map");
        }
        if (fields.path("conditions").isNull()) {
            fields.remove("conditions");
        }
        return new TypedStatus(fields);
    }

    /** The merge patch that makes it the status of an object. */
    ObjectNode differenceTo(ObjectNode body) {
        ObjectNode actual = body.get("status") instanceof ObjectNode known ? known : Json.object();
        return MergeDifference.ofFields(actual, fields);
    }
}
