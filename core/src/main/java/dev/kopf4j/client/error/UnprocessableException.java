package dev.kopf4j.client.error;

import java.io.Serial;

/** HTTP 422: the object or the patch is invalid. */
public final class UnprocessableException extends ApiException {
    @Serial
    private static final long serialVersionUID = 1L;

    UnprocessableException(ErrorResponse errorResponse) {
        super(errorResponse);
    }
}
