package dev.kopf4j.client.error;

import java.io.Serial;

/** HTTP 429: the server is overloaded, or this client sends too fast. */
public final class TooManyRequestsException extends ApiException {
    @Serial
    private static final long serialVersionUID = 1L;

    TooManyRequestsException(ErrorResponse errorResponse) {
        super(errorResponse);
    }
}
