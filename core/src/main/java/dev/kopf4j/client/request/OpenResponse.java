package dev.kopf4j.client.request;

import dev.kopf4j.client.error.ConnectionFailedException;
import dev.kopf4j.client.error.RequestDescription;
import dev.kopf4j.client.transport.ResponseStream;
import java.io.IOException;
import java.io.InterruptedIOException;

/**
 * The open stream of a response, with the request that it answers.
 *
 * @param requestDescription the request, for messages
 * @param server the server's address, for messages
 * @param stream the body of the response; the caller closes it
 */
public record OpenResponse(RequestDescription requestDescription, String server, ResponseStream stream) {
    /** Makes the exception for a response that is not complete. */
    public ConnectionFailedException broken(IOException cause) {
        return new ConnectionFailedException(requestDescription.describe(), server, cause);
    }

    /** Converts the I/O form of an interruption back into an InterruptedException. */
    public static InterruptedException interrupted(InterruptedIOException e) {
        // The flag was set for callers that do not know of the interruption; from here on, the exception tells it.
        var _ = Thread.interrupted();
        InterruptedException interrupted = new InterruptedException(e.getMessage());
        interrupted.initCause(e);
        return interrupted;
    }
}
