package dev.kopf4j.client.error;

import java.io.Serial;

/** The server is overloaded, or we are too fast: HTTP 429. */
public final class TooManyRequestsException extends ApiException {
    @Serial
    private static final long serialVersionUID = 1L;

    TooManyRequestsException(ErrorResponse errorResponse) {
        super(errorResponse);
    }
}
