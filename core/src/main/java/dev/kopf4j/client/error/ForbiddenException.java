package dev.kopf4j.client.error;

import java.io.Serial;

/** HTTP 403: the credentials lack a permission. The message names the missing RBAC rule. */
public final class ForbiddenException extends ApiException {
    @Serial
    private static final long serialVersionUID = 1L;

    ForbiddenException(ErrorResponse errorResponse) {
        super(errorResponse);
    }
}
