package dev.kopf4j.engine.probe;

import dev.kopf4j.json.Json;
import tools.jackson.databind.JsonNode;

/**
 * An answer to an HTTP request. Immutable.
 *
 * @param status the HTTP status
 * @param type the type of the text
 * @param text what is shown
 */
public record ProbeResponse(int status, String type, String text) {
    /** An answer in JSON. */
    static ProbeResponse json(int status, JsonNode node) {
        return new ProbeResponse(status, "application/json", Json.text(node));
    }
}
