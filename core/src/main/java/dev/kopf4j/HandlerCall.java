package dev.kopf4j;

import java.time.Duration;

/**
 * One call of a handler that has ended. Immutable.
 *
 * @param handler the handler's id
 * @param kind what it is called for
 * @param resource the resource of the object
 * @param outcome how it has ended
 * @param retry how many attempts there were before
 * @param took from its begin to its end
 */
public record HandlerCall(
        String handler, HandlerKind kind, Resource resource, Outcome outcome, int retry, Duration took) {
    /** How a call ends. */
    public enum Outcome {
        /** It has returned. */
        SUCCEEDED,
        /** It has asked to be called again. */
        TEMPORARY,
        /** It has failed for good. */
        PERMANENT,
        /** It has thrown something else. */
        ERROR,
        /** Its time was over. */
        TIMEOUT
    }
}
