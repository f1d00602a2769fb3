package dev.kopf4j.client.transport;

import java.io.IOException;
import java.io.Serial;

/** Nothing came from an open stream for as long as its reader was willing to wait. */
public final class StreamIdleException extends IOException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** Makes the exception; the message says what was awaited. */
    public StreamIdleException(String message) {
        super(message);
    }
}
