package dev.kopf4j.client.transport;

import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/** The part of a body that has arrived but was not read yet, and the end of the body. Thread-safe. */
final class ChunkQueue {
    /** Guards everything below. */
    private final Monitor monitor;

    private final Queue<ByteBuffer> chunks = new ArrayDeque<>();
    private boolean ended;
    private @Nullable IOException failure;
    private boolean closed;

    ChunkQueue(Platform platform) {
        this.monitor = platform.monitor();
    }

    /** Adds a chunk; ignored after the end. */
    void add(ByteBuffer chunk) {
        monitor.locked(() -> {
            if (!ended && !closed) {
                chunks.add(chunk);
            }
        });
    }

    /** Ends the body; only the first call counts. Null means that the body is complete. */
    void end(@Nullable IOException how) {
        monitor.locked(() -> {
            if (!ended) {
                ended = true;
                failure = how;
            }
        });
    }

    /** Drops the chunks; true if the body had not ended, and was not closed before. */
    boolean close() {
        return monitor.locked(() -> {
            boolean early = !closed && !ended;
            closed = true;
            chunks.clear();
            return early;
        });
    }

    boolean isClosed() {
        return monitor.locked(() -> closed);
    }

    /** Waits for a chunk; empty if the body is complete. */
    Optional<ByteBuffer> take(Deadline deadline) throws IOException, InterruptedException {
        Taken taken = monitor.await(this::taken, deadline)
                .orElseThrow(() -> new StreamIdleException("nothing has come from the server"));
        return switch (taken) {
            case Taken.Chunk(ByteBuffer bytes) -> Optional.of(bytes);
            case Taken.End() -> Optional.empty();
            case Taken.Failure(IOException cause) -> throw new IOException(cause.getMessage(), cause);
        };
    }

    private sealed interface Taken {
        record Chunk(ByteBuffer bytes) implements Taken {}

        record End() implements Taken {}

        record Failure(IOException cause) implements Taken {}
    }

    private Optional<Taken> taken() {
        if (closed) {
            return Optional.of(new Taken.Failure(new IOException("the stream was closed while it was read")));
        }
        ByteBuffer chunk = chunks.poll();
        if (chunk != null) {
            return Optional.of(new Taken.Chunk(chunk));
        }
        if (failure != null) {
            return Optional.of(new Taken.Failure(failure));
        }
        return ended ? Optional.of(new Taken.End()) : Optional.empty();
    }
}
