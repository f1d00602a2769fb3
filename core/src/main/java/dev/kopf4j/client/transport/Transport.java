package dev.kopf4j.client.transport;

import dev.kopf4j.runtime.Deadline;
import java.io.IOException;

/**
 * Sends requests to one API server with one set of credentials, as they are: no retries, no interpretation.
 * Thread-safe.
 */
public interface Transport extends AutoCloseable {
    /**
     * Sends a request, and waits for the whole answer, whatever its status.
     *
     * @throws RequestTimeoutException if it is not there by the deadline
     * @throws ClosedTransportException if the transport takes no more requests
     * @throws IOException if the connection fails; a {@link java.net.ConnectException} if it was never open
     * @throws InterruptedException if the task is interrupted; the request is abandoned
     */
    TransportResponse send(TransportRequest transportRequest, Deadline deadline)
            throws IOException, InterruptedException;

    /**
     * Sends a request, and waits for the head of the answer; the body is read from the stream, which the caller closes.
     *
     * @param headersBy when the head must be there; the body has deadlines of its own
     * @throws IOException as for {@link #send}
     * @throws InterruptedException if the task is interrupted; the request is abandoned
     */
    ResponseStream open(TransportRequest transportRequest, Deadline headersBy) throws IOException, InterruptedException;

    /** Takes no more requests, but lets the running ones and the open streams come to their end. */
    default void closeWhenIdle() {
        close();
    }

    /** Takes no more requests, and breaks the running ones and the open streams. */
    @Override
    void close();
}
