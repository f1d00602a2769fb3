package dev.kopf4j.devcluster.http;

import java.io.IOException;

/** A request that is not HTTP as this server understands it; the connection cannot be used any more. */
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
