package dev.kopf4j;

import java.io.Serial;

/**
 * A part of an object does not fit the type that a handler wants it as. A permanent failure of that handler; the
 * message has the path and the value.
 */
public class BindingException extends PermanentException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** A misfit with a message for people. */
    public BindingException(String message, Throwable cause) {
        super(message, cause);
    }
}
