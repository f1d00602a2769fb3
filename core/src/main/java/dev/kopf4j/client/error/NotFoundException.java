package dev.kopf4j.client.error;

import java.io.Serial;

/** There is no such object or resource: HTTP 404. */
public final class NotFoundException extends ApiException {
    @Serial
    private static final long serialVersionUID = 1L;

    NotFoundException(ErrorResponse errorResponse) {
        super(errorResponse);
    }
}
