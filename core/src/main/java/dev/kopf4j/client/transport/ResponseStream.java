package dev.kopf4j.client.transport;

import dev.kopf4j.runtime.Deadline;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An answer whose body arrives piece by piece. Read by one task at a time; closed by any.
 *
 * <p>The sender is slowed down to the reader's speed: only a bounded part of the body is held.
 */
public interface ResponseStream extends AutoCloseable {
    /** The HTTP status. */
    int status();

    /** The first header of this name in any case; null if there is none. */
    @Nullable String header(String name);

    /**
     * Waits for the next line that is not empty; lines may be of any length, the last one needs no line end.
     *
     * @return the line without its end; null at the end of the stream
     * @throws StreamIdleException if nothing has come by the deadline; the stream may be read on
     * @throws IOException if the connection is lost, or the stream is closed
     * @throws InterruptedException if the task is interrupted
     */
    byte @Nullable [] nextLine(Deadline deadline) throws IOException, InterruptedException;

    /**
     * The body as bytes, instead of lines.
     *
     * @param idleEach how long each read waits before it fails with {@link StreamIdleException}; an interrupted read
     *     fails with {@link java.io.InterruptedIOException} and leaves the task's interrupt flag set
     */
    InputStream body(Duration idleEach);

    /** Ends the stream, and its connection unless the body has come to its end; a waiting reader fails. */
    @Override
    void close();
}
