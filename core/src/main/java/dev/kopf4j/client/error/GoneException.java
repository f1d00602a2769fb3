package dev.kopf4j.client.error;

import java.io.Serial;

/** The asked version or page is too old: HTTP 410. */
public final class GoneException extends ApiException {
    @Serial
    private static final long serialVersionUID = 1L;

    GoneException(ErrorResponse errorResponse) {
        super(errorResponse);
    }
}
