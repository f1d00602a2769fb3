package dev.kopf4j.engine.activity;

import dev.kopf4j.OperatorException;
import java.io.Serial;

/** A handler of an activity has failed for good. The message says which and why; the cause is its first exception. */
public final class ActivityException extends OperatorException {
    @Serial
    private static final long serialVersionUID = 1L;

    ActivityException(String message) {
        super(message);
    }

    ActivityException(String message, Throwable cause) {
        super(message, cause);
    }
}
