package dev.kopf4j.client.error;

import java.io.Serial;

/** The credentials lack a permission: HTTP 403. The message names the RBAC rule that is missing. */
public final class ForbiddenException extends ApiException {
    @Serial
    private static final long serialVersionUID = 1L;

    ForbiddenException(ErrorResponse errorResponse) {
        super(errorResponse);
    }
}
