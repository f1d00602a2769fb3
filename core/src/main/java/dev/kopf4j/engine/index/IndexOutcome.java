package dev.kopf4j.engine.index;

import dev.kopf4j.persistence.progress.ProgressRecord;
import org.jspecify.annotations.Nullable;

/** What a new state of an object means for its values in an index. Immutable. */
public sealed interface IndexOutcome {
    /**
     * The new values take the place of those that are there.
     *
     * @param result the new values
     */
    record Replaced(IndexResult result) implements IndexOutcome {}

    /** What is there stays. */
    record Kept() implements IndexOutcome {}

    /**
     * The object has no values: it does not match, or the function has failed for it.
     *
     * @param failures the attempts so far, to go on with; null if there are none
     */
    record Removed(@Nullable ProgressRecord failures) implements IndexOutcome {}
}
