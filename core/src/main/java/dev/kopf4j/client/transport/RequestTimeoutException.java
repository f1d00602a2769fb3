package dev.kopf4j.client.transport;

import java.io.IOException;
import java.io.Serial;

/** A request got no response in time. It is unknown whether the server has acted on it. */
public final class RequestTimeoutException extends IOException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** Makes the exception; the message says what was awaited. */
    public RequestTimeoutException(String message) {
        super(message);
    }
}
