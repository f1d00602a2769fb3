package dev.kopf4j.engine.call;

import dev.kopf4j.persistence.progress.ProgressRecord;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** How progress records go on. Pure. */
public final class ProgressTransitions {
    private ProgressTransitions() {}

    /**
     * The record of a handler that was not called yet.
     *
     * @param purpose the word of the reason; null for none
     */
    public static ProgressRecord fresh(Instant now, @Nullable String purpose) {
        return new ProgressRecord(micros(now), null, null, purpose, 0, false, false, null, List.of());
    }

    /** The record of a handler that begins now, or has begun before; if it is not known when, its time begins now. */
    static ProgressRecord begun(@Nullable ProgressRecord record, Instant now, String purpose) {
        if (record == null) {
            return fresh(now, purpose);
        }
        return record.started() != null
                ? record
                : new ProgressRecord(
                        micros(now),
                        record.stopped(),
                        record.delayed(),
                        record.purpose(),
                        record.retries(),
                        record.success(),
                        record.failure(),
                        record.message(),
                        record.subrefs(),
                        record.step());
    }

    static ProgressRecord purposed(ProgressRecord record, String purpose) {
        return new ProgressRecord(
                record.started(),
                record.stopped(),
                record.delayed(),
                purpose,
                record.retries(),
                record.success(),
                record.failure(),
                record.message(),
                record.subrefs(),
                record.step());
    }

    /** The record, which names more sub-handlers or steps. */
    public static ProgressRecord withSubrefs(ProgressRecord record, Collection<String> more) {
        if (record.subrefs().containsAll(more)) {
            return record;
        }
        Set<String> all = new TreeSet<>(record.subrefs());
        all.addAll(more);
        return new ProgressRecord(
                record.started(),
                record.stopped(),
                record.delayed(),
                record.purpose(),
                record.retries(),
                record.success(),
                record.failure(),
                record.message(),
                List.copyOf(all),
                record.step());
    }

    /** True if the handler has succeeded or failed for good. */
    public static boolean isFinished(ProgressRecord record) {
        return record.success() || record.failure();
    }

    /** True if the handler may be called now. */
    public static boolean isDue(ProgressRecord record, Instant now) {
        Instant delayed = record.delayed();
        return !isFinished(record) && (delayed == null || !delayed.isAfter(now));
    }

    /** The time until the handler may be called; zero if it is over. */
    static Duration delay(ProgressRecord record, Instant now) {
        Instant delayed = record.delayed();
        return delayed == null || delayed.isBefore(now) ? Duration.ZERO : Duration.between(now, delayed);
    }

    /** One attempt later, which has ended with that outcome. */
    public static ProgressRecord after(ProgressRecord record, Outcome outcome, Instant now) {
        Instant end = micros(now);
        return switch (outcome) {
            case Outcome.Succeeded(var _) -> next(record, end, null, true, false, null);
            case Outcome.Failed(String message) -> next(record, end, null, false, true, message);
            case Outcome.Retry(Duration delay, String message) ->
                next(record, record.stopped(), end.plus(delay), false, false, message);
        };
    }

    private static ProgressRecord next(
            ProgressRecord record,
            @Nullable Instant stopped,
            @Nullable Instant delayed,
            boolean success,
            boolean failure,
            @Nullable String message) {
        return new ProgressRecord(
                record.started(),
                stopped,
                delayed,
                record.purpose(),
                record.retries() + 1,
                success,
                failure,
                message,
                record.subrefs(),
                record.step());
    }

    /** As precise as records are. */
    private static Instant micros(Instant instant) {
        return instant.truncatedTo(ChronoUnit.MICROS);
    }
}
