package dev.kopf4j.client.error;

import java.io.Serial;

/** A request has failed, and no retry is left. */
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
