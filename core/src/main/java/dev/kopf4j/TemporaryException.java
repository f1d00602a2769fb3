package dev.kopf4j;

import java.io.Serial;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Says that a handler has failed for now: it is retried after a delay.
 *
 * <p>Immutable; may be thrown from any handler.
 */
public class TemporaryException extends RuntimeException {
    /** The delay where none is given: one minute. */
    public static final Duration DEFAULT_DELAY = Duration.ofMinutes(1);

    @Serial
    private static final long serialVersionUID = 1L;

    private final Duration delay;

    /** Fails for now; the handler is retried after {@link #DEFAULT_DELAY}. */
    public TemporaryException(String message) {
        this(message, DEFAULT_DELAY);
    }

    /** Fails for now; the handler is retried after {@code delay}, at once if it is null, zero or negative. */
    public TemporaryException(String message, @Nullable Duration delay) {
        super(message);
        this.delay = orAtOnce(delay);
    }

    /** The same with the reason behind it. */
    public TemporaryException(String message, @Nullable Duration delay, Throwable cause) {
        super(message, cause);
        this.delay = orAtOnce(delay);
    }

    private static Duration orAtOnce(@Nullable Duration delay) {
        return delay == null ? Duration.ZERO : delay;
    }

    /** The time until the next attempt; zero or negative for at once. */
    public Duration delay() {
        return delay;
    }
}
