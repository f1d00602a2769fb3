package dev.kopf4j;

import java.io.Serial;
import java.time.Duration;

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

    /** Fails for now; the handler is retried after {@code delay}, at once if it is zero or negative. */
    public TemporaryException(String message, Duration delay) {
        super(message);
        this.delay = delay;
    }

    /** The same with the reason behind it. */
    public TemporaryException(String message, Duration delay, Throwable cause) {
        super(message, cause);
        this.delay = delay;
    }

    /** The time until the next attempt. */
    public Duration delay() {
        return delay;
    }
}
