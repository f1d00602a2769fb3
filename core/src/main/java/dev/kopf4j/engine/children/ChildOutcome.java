package dev.kopf4j.engine.children;

import dev.kopf4j.runtime.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * How a child is, after it was looked at. Immutable.
 *
 * @param title its kind and name
 * @param trouble what is wrong, or not ready; null if the child is as it ought to be, and ready
 * @param reason a word for machines
 * @param retryAt when it is written again; never if that is not to be
 */
record ChildOutcome(String title, @Nullable String trouble, String reason, Deadline retryAt) {
    static final String NOT_READY = "ChildrenNotReady";

    static ChildOutcome of(String title, @Nullable String trouble) {
        return new ChildOutcome(title, trouble, NOT_READY, Deadline.NEVER);
    }

    boolean isReady() {
        return trouble == null;
    }

    /** True if it could not be written. */
    boolean hasFailed() {
        return trouble != null && !reason.equals(NOT_READY);
    }
}
