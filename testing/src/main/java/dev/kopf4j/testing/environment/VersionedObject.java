package dev.kopf4j.testing.environment;

import dev.kopf4j.json.Json;
import dev.kopf4j.object.ObjectReference;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * An object as the cluster has it. Immutable.
 *
 * @param reference which object
 * @param version its version
 */
record VersionedObject(ObjectReference reference, String version) {
    static VersionedObject of(JsonNode object) {
        return new VersionedObject(
                ObjectReference.of(object),
                object.path("metadata").path("resourceVersion").asString(""));
    }

    /** An item of a list, which has neither kind nor version of the API in some. */
    static VersionedObject item(JsonNode item, String apiVersion, String kind) {
        ObjectNode complete = Json.object().put("apiVersion", apiVersion).put("kind", kind);
        complete.set("metadata", item.path("metadata"));
        return of(complete);
    }
}
