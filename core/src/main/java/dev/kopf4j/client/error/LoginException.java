package dev.kopf4j.client.error;

import java.io.Serial;

/** There are no valid credentials, and none can be had. The message says where they were looked for. */
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
