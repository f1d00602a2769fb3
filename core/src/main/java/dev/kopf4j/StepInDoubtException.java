package dev.kopf4j;

import java.io.Serial;
import java.time.Duration;

/**
 * Stops a handler that has found the intent of a {@linkplain Steps step} without its result: nobody knows whether the
 * call was made. It is to be let through.
 *
 * <p>The handler is not called again, whatever its limits are, until somebody has looked, and asks for a retry by the
 * annotation {@code retry}; then the call is made again. The condition {@code StepInDoubt} and an event tell of it.
 *
 * <p>Immutable; thrown by the framework.
 */
public final class StepInDoubtException extends TemporaryException {
    @Serial
    private static final long serialVersionUID = 1L;

    private static final Duration UNTIL_RETRY = Duration.ofDays(365L * 100);

    /** Stops the handler. */
    public StepInDoubtException(String message) {
        super(message, UNTIL_RETRY);
    }
}
