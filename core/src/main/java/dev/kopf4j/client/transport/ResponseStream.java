package dev.kopf4j.client.transport;

import dev.kopf4j.runtime.Deadline;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serial;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A response whose body arrives piece by piece. One task at a time reads it; any task closes it.
 *
 * <p>Only a bounded part of the body is held: a slow reader slows the sender down.
 */
public interface ResponseStream extends AutoCloseable {
    /** The HTTP status. */
    int status();

    /** Returns the first header of this name, in upper or lower case; null if there is none. */
    @Nullable String header(String name);

    /**
     * Waits for the next line that is not empty; lines may be of any length, the last one needs no line end.
     *
     * @return the line without its end; null at the end of the stream
     * @throws StreamIdleException if nothing came by the deadline; reading may go on
     * @throws IOException if the connection is lost, or the stream is closed
     * @throws InterruptedException if the task is interrupted
     */
    byte @Nullable [] nextLine(Deadline deadline) throws IOException, InterruptedException;

    /**
     * Returns the body as bytes, instead of lines.
     *
     * @param idleEach how long each read waits before it fails with {@link StreamIdleException}. An interrupted read
     *     fails with {@link java.io.InterruptedIOException}, and leaves the task's interrupt flag set
     */
    InputStream body(Duration idleEach);

    /** Closes the stream, and its connection unless the body has ended. A waiting reader fails. */
    @Override
    void close();

    /** Nothing came from an open stream for as long as its reader was willing to wait. */
    public final class StreamIdleException extends IOException {
        @Serial
        private static final long serialVersionUID = 1L;

        /** Makes the exception; the message says what was awaited. */
        public StreamIdleException(String message) {
            super(message);
        }
    }
}
