package dev.kopf4j;

import java.io.Serial;

/**
 * Says that a handler has failed for good: it is not retried for this change of the object.
 *
 * <p>Immutable; may be thrown from any handler.
 */
public class PermanentException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** Fails for good with a message for the logs and the progress record. */
    public PermanentException(String message) {
        super(message);
    }

    /** Fails for good with a message and the reason behind it. */
    public PermanentException(String message, Throwable cause) {
        super(message, cause);
    }
}
