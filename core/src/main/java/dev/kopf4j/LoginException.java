package dev.kopf4j;

import java.io.Serial;

/**
 * Says that a login gives no credentials, or that none of them is accepted. Thrown by {@link Logins}, and the cause of
 * the {@link OperatorException} of an operator that has ended for it. A login handler that throws it fails as by any
 * exception: it is called again, unless its {@code retries} are used up; {@link PermanentException} gives up at once.
 *
 * <p>Immutable.
 */
public class LoginException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** A failure with a message for people. */
    public LoginException(String message) {
        super(message);
    }

    /** A failure that came out as another exception. */
    public LoginException(String message, Throwable cause) {
        super(message, cause);
    }
}
