package dev.kopf4j.client.error;

import java.io.Serial;

/** The credentials are not, or no longer, valid: HTTP 401. */
public final class UnauthorizedException extends ApiException {
    @Serial
    private static final long serialVersionUID = 1L;

    UnauthorizedException(ErrorResponse errorResponse) {
        super(errorResponse);
    }
}
