package dev.kopf4j;

import java.io.Serial;

/**
 * Says that the {@code timeout} of a handler is over, or would be over before its next attempt: it has failed for good.
 * The framework makes it: it is the cause of the {@link OperatorException} that ends an operator whose start-up handler
 * has timed out. A handler that throws it fails as with any {@link PermanentException}.
 *
 * <p>Immutable.
 */
public class HandlerTimeoutException extends PermanentException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** The time is over. */
    public HandlerTimeoutException(String message) {
        super(message);
    }

    /** The time would be over before the next attempt; the cause is what went wrong with this one. */
    public HandlerTimeoutException(String message, Throwable cause) {
        super(message, cause);
    }
}
