package dev.kopf4j.client.error;

import java.io.Serial;

/** A request has failed for good: all retries that make sense are over. */
public abstract class ClientException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    ClientException(String message, Throwable cause) {
        super(message, cause);
    }

    ClientException(String message) {
        super(message);
    }
}
