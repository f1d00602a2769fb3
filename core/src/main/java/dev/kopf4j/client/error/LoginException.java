package dev.kopf4j.client.error;

import java.io.Serial;

/** No login gives valid credentials. The message says what was tried. */
public final class LoginException extends ClientException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** With a message for people. */
    public LoginException(String message) {
        super(message);
    }

    /** With a message for people, and what went wrong. */
    public LoginException(String message, Throwable cause) {
        super(message, cause);
    }
}
