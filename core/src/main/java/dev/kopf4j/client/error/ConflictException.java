package dev.kopf4j.client.error;

import java.io.Serial;

/** The object has changed meanwhile, or exists already: HTTP 409. */
public final class ConflictException extends ApiException {
    @Serial
    private static final long serialVersionUID = 1L;

    ConflictException(ErrorResponse errorResponse) {
        super(errorResponse);
    }
}
