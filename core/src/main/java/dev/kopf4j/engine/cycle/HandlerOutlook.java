package dev.kopf4j.engine.cycle;

import dev.kopf4j.HandlerKind;
import dev.kopf4j.Reason;
import dev.kopf4j.engine.call.FilterMismatch;
import dev.kopf4j.engine.intervention.Interventions;
import dev.kopf4j.json.JsonDiff;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one handler would do for one object now. Immutable.
 *
 * @param id the handler's id, with the suffix of its field
 * @param kind what it is called for; for a sub-handler, the kind of the handler that declares it
 * @param parent the id of the handler that declares it as a sub-handler; null if it is none
 * @param verdict what it would do
 */
public record HandlerOutlook(
        String id, HandlerKind kind, @Nullable String parent, Verdict verdict) {
    /** What is so far away is never: nobody waits for a year. */
    private static final Duration NEVER = Duration.ofDays(365L * 50);

    /** Whether a handler would be called now, and why. */
    public sealed interface Verdict {}

    /**
     * It would be called now.
     *
     * @param occasion what for
     * @param reason what has happened to the object; noop for {@link Occasion#START}
     * @param diff what has changed for it, relative to its field; empty if nothing is known of changes
     * @param attempt which attempt that would be, from 1
     * @param attemptsMax how many there may be; null for any number
     */
    public record WouldRun(
            Occasion occasion,
            Reason reason,
            JsonDiff diff,
            int attempt,
            @Nullable Integer attemptsMax) implements Verdict {}

    /** What a handler would be called for. */
    public enum Occasion {
        /** What is stored on the object is not the object as it is, or something is left to do. */
        CHANGE,
        /** The start of the operator, as at each start: resuming, daemons, timers, events, indices, children. */
        START,
        /** Somebody's request for a retry. */
        RETRY
    }

    /**
     * It has succeeded with the present change.
     *
     * @param at when; null if it is not known
     */
    public record Done(@Nullable Instant at) implements Verdict {}

    /**
     * It waits for its next attempt.
     *
     * @param until when that is due
     * @param attempt which one it is, from 1
     * @param attemptsMax how many there may be; null for any number
     * @param message the last error; null if there was none
     */
    public record Waits(
            Instant until,
            int attempt,
            @Nullable Integer attemptsMax,
            @Nullable String message) implements Verdict {
        /** True if it is due in so many years that somebody has to ask for it: a step is in doubt. */
        public boolean endsWhenAsked(Instant now) {
            return until.isAfter(now.plus(NEVER));
        }
    }

    /**
     * It has failed for good.
     *
     * @param at when, as text; empty if it is not known
     * @param message the error; empty if it is not known
     */
    public record Failed(String at, String message) implements Verdict {}

    /**
     * It would fail for good without another call, as its limits are reached by then: they may have been lowered.
     *
     * @param due when
     * @param why which limit, in words
     */
    public record GivenUp(Instant due, String why) implements Verdict {}

    /**
     * It is not called for what has happened to the object.
     *
     * @param actual what has happened
     * @param why in words
     */
    public record WrongCause(Reason actual, String why) implements Verdict {}

    /**
     * A filter keeps the object from it.
     *
     * @param mismatch which one, and what it has seen
     */
    public record Mismatch(FilterMismatch mismatch) implements Verdict {}

    /**
     * Somebody has paused the object.
     *
     * @param pause what of it
     */
    public record Paused(Interventions.Pause pause) implements Verdict {}

    /**
     * The operator does not watch the object.
     *
     * @param scope what it watches instead, or why it does not, in words
     */
    public record NotWatched(String scope) implements Verdict {}

    /**
     * The operator's account lacks a right.
     *
     * @param right which one, in words
     */
    public record RightMissing(String right) implements Verdict {}

    /**
     * The operator has nothing to do any more: finalizers of others hold the deletion.
     *
     * @param others their names; none if the server is about to remove the object
     */
    public record DeletionHeld(List<String> others) implements Verdict {
        /** Copies the list. */
        public DeletionHeld {
            others = List.copyOf(others);
        }
    }

    /**
     * The object is not handled, since its state cannot be stored on it.
     *
     * @param why in words
     */
    public record Refused(String why) implements Verdict {}

    /**
     * It may be called: that depends on a callback, or on what only the memory of the running operator knows.
     *
     * @param on on what, in words
     */
    public record Depends(String on) implements Verdict {}
}
