package dev.kopf4j.client.request;

import dev.kopf4j.client.error.ConnectionFailedException;
import dev.kopf4j.client.error.RequestDescription;
import java.io.IOException;
import java.io.InterruptedIOException;

/** Converts what goes wrong with a connection into exceptions that tell of the request. Pure. */
public final class RequestFailures {
    private RequestFailures() {}

    /** Converts the I/O form of an interruption back into an InterruptedException. */
    public static InterruptedException interrupted(InterruptedIOException e) {
        // The flag was set for callers that do not know of the interruption; from here on, the exception tells it.
        var _ = Thread.interrupted();
        InterruptedException interrupted = new InterruptedException(e.getMessage());
        interrupted.initCause(e);
        return interrupted;
    }

    /** Makes the exception for a request that got no complete response. */
    public static ConnectionFailedException connectionFailed(
            RequestDescription description, String server, IOException cause) {
        return new ConnectionFailedException(description.describe(), server, cause);
    }
}
