package dev.kopf4j;

import java.io.Serial;

/** Ends a call of a handler whose sub-handlers have to be called again later. Not an error; to be let through. */
public final class SubHandlersUnfinishedException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** The signal for the given handler. */
    public SubHandlersUnfinishedException(String handler) {
        super(handler + " has unfinished sub-handlers", null, false, false);
    }
}
