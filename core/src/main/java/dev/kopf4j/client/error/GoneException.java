package dev.kopf4j.client.error;

import java.io.Serial;

/**
 * HTTP 410: the requested version or continue token has expired. {@code PagedList} restarts the list;
 * {@code ListAndWatchLoop} lists everything again (see {@code RelistDecision}).
 */
public final class GoneException extends ApiException {
    @Serial
    private static final long serialVersionUID = 1L;

    GoneException(ErrorResponse errorResponse) {
        super(errorResponse);
    }
}
