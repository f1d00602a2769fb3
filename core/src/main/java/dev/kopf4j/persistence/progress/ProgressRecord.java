package dev.kopf4j.persistence.progress;

import dev.kopf4j.text.TextShortener;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How far one handler has come with one change of an object. Two records that are stored alike are equal.
 *
 * <p>Immutable.
 *
 * @param started when it was first scheduled; null if unknown; times are kept in microseconds
 * @param stopped when it finally succeeded or failed; null while it is not finished
 * @param delayed not to be run before; null if there is no reason to wait
 * @param purpose the reason for which it runs: {@code create}, {@code update}, {@code delete}, {@code resume}; null
 *     fits any
 * @param retries attempts made so far
 * @param success whether it is finished well
 * @param failure whether it is given up
 * @param message the text of the last error, shortened in the middle beyond 1024 bytes; null if there was none
 * @param subrefs the ids of all handlers it has spawned, sorted
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
     * What people need of an error. Annotations have 256 KiB in all, and a record that does not fit is never stored.
     */
    private static final int MESSAGE_BYTES_MAX = 1024;

    /** Cuts the times to microseconds and the message, sorts the ids, and takes an empty purpose as none. */
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
