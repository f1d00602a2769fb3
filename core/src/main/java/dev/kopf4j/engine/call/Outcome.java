package dev.kopf4j.engine.call;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** How one call of a handler has ended. Immutable. */
public sealed interface Outcome {
    /**
     * It has done its work.
     *
     * @param result what is to be stored in the status; null for nothing
     */
    record Succeeded(@Nullable JsonNode result) implements Outcome {}

    /**
     * It is to be called again.
     *
     * @param delay when, from now; zero for at once
     * @param message what went wrong
     */
    record Retry(Duration delay, String message) implements Outcome {}

    /**
     * It is not to be called again.
     *
     * @param message what went wrong
     */
    record Failed(String message) implements Outcome {}
}
