package dev.kopf4j.runtime;

import java.io.Serial;

/** Ends a task from inside, whatever it is doing. Whoever catches errors of other people's code must let it through. */
public abstract class TaskEndError extends Error {
    @Serial
    private static final long serialVersionUID = 1L;

    /** The reason; nobody looks at its trace. */
    protected TaskEndError(String message) {
        super(message, null, false, false);
    }
}
