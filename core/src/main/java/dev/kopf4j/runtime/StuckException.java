package dev.kopf4j.runtime;

import java.io.Serial;

/** A simulation cannot go on, as a task of it does not give its turn back. */
public final class StuckException extends IllegalStateException {
    @Serial
    private static final long serialVersionUID = 1L;

    StuckException(String message) {
        super(message);
    }
}
