package dev.kopf4j.client.error;

import java.io.Serial;

/** The object or the patch does not make sense to the server: HTTP 422. */
public final class UnprocessableException extends ApiException {
    @Serial
    private static final long serialVersionUID = 1L;

    UnprocessableException(ErrorResponse errorResponse) {
        super(errorResponse);
    }
}
