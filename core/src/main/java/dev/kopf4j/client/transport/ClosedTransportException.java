package dev.kopf4j.client.transport;

import java.io.IOException;
import java.io.Serial;

/** The transport takes no more requests: its credentials were replaced. The request was not sent. */
public final class ClosedTransportException extends IOException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** Makes the exception; the message names the server. */
    public ClosedTransportException(String message) {
        super(message);
    }
}
