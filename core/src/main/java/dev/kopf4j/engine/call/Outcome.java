package dev.kopf4j.engine.call;

import dev.kopf4j.persistence.progress.ProgressRecord;
import dev.kopf4j.persistence.progress.ProgressRecord.State;
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
     */
    record Retry(Duration delay, String message) implements Outcome {}

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
            case Retry(Duration delay, String message) ->
                before.attempted(
                        before.stopped(),
                        now.truncatedTo(ChronoUnit.MICROS).plus(delay),
                        new State(false, false, message));
        };
    }
}
