package dev.kopf4j.engine.probe;

import dev.kopf4j.json.Json;
import tools.jackson.databind.JsonNode;

/** Something that is asked for by HTTP. Thread-safe. */
@FunctionalInterface
public interface ProbePage {
    /** The answer of this moment. */
    Response content() throws InterruptedException;

    /**
     * An answer to an HTTP request. Immutable.
     *
     * @param status the HTTP status
     * @param type the type of the text
     * @param text what is shown
     */
    record Response(int status, String type, String text) {
        /** An answer in JSON. */
        static Response json(int status, JsonNode node) {
            return new Response(status, "application/json", Json.text(node));
        }
    }
}
