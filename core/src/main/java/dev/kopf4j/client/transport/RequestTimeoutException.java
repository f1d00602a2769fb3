package dev.kopf4j.client.transport;

import java.io.IOException;
import java.io.Serial;

/** A request was not answered in time; whether the server has acted on it is unknown. */
public final class RequestTimeoutException extends IOException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** With a message that says what was waited for. */
    public RequestTimeoutException(String message) {
        super(message);
    }
}
