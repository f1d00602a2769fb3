package dev.kopf4j;

import java.io.Serial;

/**
 * A handler was declared in a way that makes no sense. Thrown when the operator is built, before anything is watched;
 * the message names the handler, the mistake, and the right form.
 */
public class HandlerDeclarationException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** A mistake with a message for people. */
    public HandlerDeclarationException(String message) {
        super(message);
    }

    /** A mistake that came out as another exception. */
    public HandlerDeclarationException(String message, Throwable cause) {
        super(message, cause);
    }
}
