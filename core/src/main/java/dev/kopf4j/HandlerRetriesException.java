package dev.kopf4j;

import java.io.Serial;

/**
 * Says that the {@code retries} of a handler are used up: it has failed for good. The framework's own: the cause of the
 * {@link OperatorException} with which an operator ends whose start-up handler has failed so often. A handler that
 * throws it fails as by any {@link PermanentException}.
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
