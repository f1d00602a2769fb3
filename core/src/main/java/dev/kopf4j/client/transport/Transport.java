package dev.kopf4j.client.transport;

import dev.kopf4j.runtime.Deadline;
import java.io.IOException;
import java.io.Serial;

/**
 * Sends requests to one API server with one set of credentials, as they are: no retries, no interpretation.
 * Thread-safe.
 */
public interface Transport extends AutoCloseable {
    /**
     * Sends a request, and waits for the whole response, whatever its status.
     *
     * @throws RequestTimeoutException if it has not come by the deadline
     * @throws ClosedTransportException if the transport takes no more requests
     * @throws IOException if the connection fails; a {@link java.net.ConnectException} if it was never open
     * @throws InterruptedException if the task is interrupted; the request is abandoned
     */
    TransportResponse send(TransportRequest transportRequest, Deadline deadline)
            throws IOException, InterruptedException;

    /**
     * Sends a request, and waits for the head of the response. The caller reads the body from the stream, and closes
     * it.
     *
     * @param headersBy the deadline for the head; the reader sets the deadlines for the body
     * @throws IOException as for {@link #send}
     * @throws InterruptedException if the task is interrupted; the request is abandoned
     */
    ResponseStream open(TransportRequest transportRequest, Deadline headersBy) throws IOException, InterruptedException;

    /** Takes no more requests, but lets running requests and open streams end by themselves. */
    default void closeWhenIdle() {
        close();
    }

    /** Takes no more requests, and breaks running requests and open streams. */
    @Override
    void close();

    /** A request got no response in time. It is unknown whether the server has acted on it. */
    public static final class RequestTimeoutException extends IOException {
        @Serial
        private static final long serialVersionUID = 1L;

        /** Makes the exception; the message says what was awaited. */
        public RequestTimeoutException(String message) {
            super(message);
        }
    }

    /** The transport takes no more requests: its credentials were replaced. The request was not sent. */
    public static final class ClosedTransportException extends IOException {
        @Serial
        private static final long serialVersionUID = 1L;

        /** Makes the exception; the message names the server. */
        public ClosedTransportException(String message) {
            super(message);
        }
    }
}
