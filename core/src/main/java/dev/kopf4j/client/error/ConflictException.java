package dev.kopf4j.client.error;

import java.io.Serial;

/** HTTP 409: the object was changed in between, or exists already. */
public final class ConflictException extends ApiException {
    @Serial
    private static final long serialVersionUID = 1L;

    ConflictException(ErrorResponse errorResponse) {
        super(errorResponse);
    }
}
