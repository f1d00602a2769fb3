package dev.kopf4j.engine.admission.http;

import java.io.IOException;
import java.io.Serial;

/** What a client sends is no request that the server takes. The connection cannot be used further. */
final class HttpProblem extends IOException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final int status;

    HttpProblem(int status, String message) {
        super(message);
        this.status = status;
    }

    /** What the client is told. */
    HttpReply reply() {
        return HttpReply.problem(status, String.valueOf(getMessage()));
    }
}
