package dev.kopf4j.client.error;

import java.io.Serial;

/** The server has failed: HTTP 5xx. */
public final class ServerErrorException extends ApiException {
    @Serial
    private static final long serialVersionUID = 1L;

    ServerErrorException(ErrorResponse errorResponse) {
        super(errorResponse);
    }
}
