package dev.kopf4j.devcluster.strategy;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.resource.Resource;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Finds the part of an object whose changes {@code metadata.generation} counts. Pure. */
final class GenerationPart {
    private GenerationPart() {}

    /** All fields except the metadata, and except the status if that is a subresource. */
    static ObjectNode withoutMetadataAndStatus(Resource resource, ObjectNode object) {
        ObjectNode rest = Json.object();
        for (Map.Entry<String, JsonNode> entry : object.properties()) {
            boolean status = entry.getKey().equals("status") && resource.hasStatus();
            if (!entry.getKey().equals("metadata") && !status) {
                rest.set(entry.getKey(), entry.getValue());
            }
        }
        return rest;
    }
}
