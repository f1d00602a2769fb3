package dev.kopf4j.client.error;

import java.io.Serial;

/** HTTP 401: the credentials are not valid, or not any more. */
public final class UnauthorizedException extends ApiException {
    @Serial
    private static final long serialVersionUID = 1L;

    UnauthorizedException(ErrorResponse errorResponse) {
        super(errorResponse);
    }
}
