package dev.kopf4j.persistence.progress;

import dev.kopf4j.text.TextShortener;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How far one handler has come with one change of an object. Records that are stored alike are equal.
 *
 * <p>Immutable.
 *
 * @param started when it was first scheduled, in microseconds as all times; null if unknown
 * @param stopped when it finally succeeded or failed; null while it is not finished
 * @param delayed the time before which it must not run; null if it need not wait
 * @param purpose the reason of the change: {@code create}, {@code update}, {@code delete}, {@code resume}; null fits
 *     any
 * @param retries attempts made so far
 * @param success whether it has succeeded
 * @param failure whether it has failed for good
 * @param message the text of the last error, shortened in the middle beyond 1024 bytes; null if there was none
 * @param subrefs the ids of all its sub-handlers, sorted
 */
public record ProgressRecord(
        @Nullable Instant started,
        @Nullable Instant stopped,
        @Nullable Instant delayed,
        @Nullable String purpose,
        int retries,
        boolean success,
        boolean failure,
        @Nullable String message,
        List<String> subrefs) {

    /**
     * Enough of an error for people. All annotations together have 256 KiB, and a record that does not fit is never
     * stored.
     */
    private static final int MESSAGE_BYTES_MAX = 1024;

    /** Truncates times to microseconds, shortens the message, sorts the ids, and makes an empty purpose null. */
    public ProgressRecord {
        started = stored(started);
        stopped = stored(stopped);
        delayed = stored(delayed);
        purpose = purpose == null || purpose.isEmpty() ? null : purpose;
        message = message == null ? null : TextShortener.middle(message, MESSAGE_BYTES_MAX);
        subrefs = subrefs.isEmpty()
                ? List.of()
                : subrefs.stream().sorted().distinct().toList();
    }

    private static @Nullable Instant stored(@Nullable Instant time) {
        return time == null ? null : time.truncatedTo(ChronoUnit.MICROS);
    }
}
