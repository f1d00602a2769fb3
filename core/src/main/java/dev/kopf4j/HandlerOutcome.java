package dev.kopf4j;

import java.util.Optional;

/**
 * How far a handler has come with the change of its object that is being handled. Immutable.
 *
 * @param attempts how often it was called
 * @param succeeded true if it has succeeded
 * @param failed true if it has failed for good
 * @param message what went wrong the last time; empty if nothing did
 * @see HandlerContext#outcome
 */
public record HandlerOutcome(int attempts, boolean succeeded, boolean failed, Optional<String> message) {
    /** True if it has succeeded or failed for good: it is not called again for this change. */
    public boolean hasEnded() {
        return succeeded || failed;
    }
}
