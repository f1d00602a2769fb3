package dev.kopf4j.engine.call;

import dev.kopf4j.persistence.progress.ProgressRecord;
import dev.kopf4j.persistence.progress.ProgressRecord.State;
import dev.kopf4j.persistence.progress.ProgressRecord.Times;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
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
     * @param anew true if its limits begin anew: they make no end of it
     */
    record Retry(Duration delay, String message, boolean anew) implements Outcome {
        /** To be called again as far as its limits permit. */
        public Retry(Duration delay, String message) {
            this(delay, message, false);
        }
    }

    /**
     * It is not to be called again.
     *
     * @param message what went wrong
     */
    record Failed(String message) implements Outcome {}

    /** The record of the handler after one more attempt, which has ended so. */
    default ProgressRecord recordedAfter(ProgressRecord before, Instant now) {
        return switch (this) {
            case Succeeded(var _) -> before.attempted(now, null, new State(true, false, null));
            case Failed(String message) -> before.attempted(now, null, new State(false, true, message));
            case Retry(Duration delay, String message, boolean anew) -> {
                Instant next = now.truncatedTo(ChronoUnit.MICROS).plus(delay);
                State state = new State(false, false, message);
                yield anew
                        ? before.renewed(now).with(new Times(now, null, next), state)
                        : before.attempted(before.stopped(), next, state);
            }
        };
    }
}
