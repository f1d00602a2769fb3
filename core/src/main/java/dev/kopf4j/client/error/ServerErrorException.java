package dev.kopf4j.client.error;

import java.io.Serial;

/** HTTP 5xx: the server has failed. */
public final class ServerErrorException extends ApiException {
    @Serial
    private static final long serialVersionUID = 1L;

    ServerErrorException(ErrorResponse errorResponse) {
        super(errorResponse);
    }
}
