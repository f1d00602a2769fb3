package dev.kopf4j.client.transport;

import dev.kopf4j.runtime.Deadline;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Where the chunks of a body come from. */
@FunctionalInterface
public interface ChunkSource {
    /**
     * Waits for the next chunk.
     *
     * @return the chunk, which the caller may keep; null at the end of the body
     * @throws StreamIdleException if nothing came by the deadline; reading may go on
     * @throws IOException if the connection is lost, or the stream is closed
     * @throws InterruptedException if the task is interrupted
     */
    byte @Nullable [] next(Deadline deadline) throws IOException, InterruptedException;
}
