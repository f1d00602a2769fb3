package dev.kopf4j.client.error;

import java.io.Serial;

/** HTTP 404: there is no such object or resource. */
public final class NotFoundException extends ApiException {
    @Serial
    private static final long serialVersionUID = 1L;

    NotFoundException(ErrorResponse errorResponse) {
        super(errorResponse);
    }
}
