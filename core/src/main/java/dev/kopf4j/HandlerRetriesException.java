package dev.kopf4j;

import java.io.Serial;

/**
 * Says that the {@code retries} of a handler are used up: it has failed for good. The framework makes it: it is the
 * cause of the {@link OperatorException} that ends an operator whose start-up handler has failed that often. A handler
 * that throws it fails as with any {@link PermanentException}.
 *
 * <p>Immutable.
 */
public class HandlerRetriesException extends PermanentException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** All attempts were made. */
    public HandlerRetriesException(String message) {
        super(message);
    }

    /** This was the last attempt; the cause is what went wrong with it. */
    public HandlerRetriesException(String message, Throwable cause) {
        super(message, cause);
    }
}
