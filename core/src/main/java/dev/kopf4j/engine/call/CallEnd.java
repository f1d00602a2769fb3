package dev.kopf4j.engine.call;

import dev.kopf4j.runtime.Task;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** How a call of the user's code has ended; {@link RetryPolicy} decides what that means. */
public sealed interface CallEnd {
    /** The function has returned. */
    record Returned(@Nullable Object value) implements CallEnd {}

    /** The function has returned what is to be stored in the status; null for nothing. */
    record Delivered(@Nullable JsonNode result) implements CallEnd {}

    /** The function has thrown. */
    record Threw(Throwable exception) implements CallEnd {}

    /** The time was over, and the function has ended when it was interrupted. */
    record TimedOut() implements CallEnd {}

    /** The time was over, and the function goes on although it was interrupted. */
    record Orphaned(Task task) implements CallEnd {}
}
