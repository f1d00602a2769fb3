package dev.kopf4j.client.error;

import dev.kopf4j.LoginException;
import java.io.Serial;

/** No login gives valid credentials. The message says what was tried. */
public final class NoCredentialsException extends ClientException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** With a message for people. */
    public NoCredentialsException(String message) {
        super(message);
    }

    /** The same in a type that users know. */
    public LoginException forUsers() {
        return new LoginException(String.valueOf(getMessage()), this);
    }

    /** With a message for people, and what went wrong. */
    public NoCredentialsException(String message, Throwable cause) {
        super(message, cause);
    }
}
