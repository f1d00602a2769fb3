package dev.kopf4j.client.transport;

import dev.kopf4j.client.transport.ResponseStream.StreamIdleException;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * A response whose body a producer pushes and a reader pulls. The producer is an in-memory server or a test.
 *
 * <p>The producer never blocks: it is asked for another chunk when the reader has taken one. Any thread may feed; one
 * task at a time reads.
 */
public final class PushedResponseStream implements ResponseStream {
    private final Platform platform;
    private final int status;
    private final Map<String, List<String>> headers;
    private final ChunkProducer producer;
    private final ChunkQueue chunks;
    private final ChunkReader reader;

    /** The other end of the stream. Its methods do not block. */
    public interface ChunkProducer {
        /** Ignores what the reader does. */
        ChunkProducer NONE = new ChunkProducer() {};

        /** The reader has taken a chunk: there is room for one more. */
        default void requestMore() {}

        /** The reader has closed the stream before its end. */
        default void cancel() {}
    }

    /** Makes a stream with this head, and no body yet. */
    public PushedResponseStream(
            Platform platform, int status, Map<String, List<String>> headers, ChunkProducer producer) {
        this.platform = platform;
        this.status = status;
        this.headers = Map.copyOf(headers);
        this.producer = producer;
        this.chunks = new ChunkQueue(platform);
        this.reader = new ChunkReader(this::next);
    }

    /** Adds to the body; the buffer is not copied. Ignored after the end. */
    public void feed(ByteBuffer chunk) {
        chunks.add(chunk);
    }

    /** Completes the body. */
    public void end() {
        chunks.end(null);
    }

    /** Breaks the body: the reader gets what there is, and then this failure. */
    public void fail(IOException failure) {
        chunks.end(failure);
    }

    /** True if the reader has closed the stream. */
    public boolean isClosed() {
        return chunks.isClosed();
    }

    @Override
    public int status() {
        return status;
    }

    @Override
    public @Nullable String header(String name) {
        return TransportResponse.header(headers, name);
    }

    @Override
    public byte @Nullable [] nextLine(Deadline deadline) throws IOException, InterruptedException {
        return reader.nextLine(deadline);
    }

    @Override
    public InputStream body(Duration idleEach) {
        return reader.bytes(platform, idleEach);
    }

    private byte @Nullable [] next(Deadline deadline) throws IOException, InterruptedException {
        Optional<ByteBuffer> chunk = chunks.take(deadline);
        if (chunk.isEmpty()) {
            return null;
        }
        // Copied out of the buffer: a buffer costs a call through its class for each byte.
        byte[] bytes = new byte[chunk.get().remaining()];
        chunk.get().get(bytes);
        producer.requestMore();
        return bytes;
    }

    @Override
    public void close() {
        if (chunks.close()) {
            producer.cancel();
        }
    }

    /** The part of a body that has arrived but was not read yet, and the end of the body. Thread-safe. */
    private static final class ChunkQueue {
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
}
