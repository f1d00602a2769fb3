package dev.kopf4j.client.api;

import java.io.IOException;
import java.io.Serial;

/** What the server has sent is no JSON, and it cannot be told of which object it is. */
public final class DamagedStreamException extends IOException {
    @Serial
    private static final long serialVersionUID = 1L;

    DamagedStreamException(String message, Throwable cause) {
        super(message, cause);
    }
}
