package dev.kopf4j.client.watching;

import java.io.Serial;

/** A server has accepted a watch with initial events, but does not tell where they end. */
final class NoInitialEventsException extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    NoInitialEventsException(String message) {
        super(message);
    }
}
