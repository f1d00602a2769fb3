package dev.kopf4j.devcluster.http;

import java.io.IOException;

/** A request that is no HTTP as we speak it; the connection cannot be used after it. */
final class HttpRequestException extends IOException {
    private static final long serialVersionUID = 1;

    private final int status;

    HttpRequestException(int status, String message) {
        super(message);
        this.status = status;
    }

    int status() {
        return status;
    }
}
