package dev.kopf4j.devcluster.http;

import java.io.IOException;

/** A request that is no HTTP as we speak it; the connection cannot be used after it. */
final class MalformedRequestException extends IOException {
    private static final long serialVersionUID = 1;

    private final int status;

    MalformedRequestException(int status, String message) {
        super(message);
        this.status = status;
    }

    int status() {
        return status;
    }
}
