package dev.kopf4j;

import java.io.Serial;

/** The operator cannot start or go on: the cluster is unreachable, or refuses it. The message is for people. */
public class OperatorException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** A failure with a message for people. */
    public OperatorException(String message) {
        super(message);
    }

    /** A failure that came out as another exception. */
    public OperatorException(String message, Throwable cause) {
        super(message, cause);
    }
}
