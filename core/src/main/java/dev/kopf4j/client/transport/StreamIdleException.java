package dev.kopf4j.client.transport;

import java.io.IOException;
import java.io.Serial;

/** Nothing came from an open stream for as long as its reader was ready to wait. */
public final class StreamIdleException extends IOException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** With a message that says what was waited for. */
    public StreamIdleException(String message) {
        super(message);
    }
}
