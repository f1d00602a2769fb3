package dev.kopf4j.client.transport;

import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A stream whose body is fed by somebody: the HTTP client, an in-memory server, a test.
 *
 * <p>Whoever feeds it never waits: a {@link ChunkProducer} is asked for more when the reader has taken what there was.
 * Fed from any thread, read by one task at a time.
 */
public final class PushedResponseStream implements ResponseStream {
    private final Platform platform;
    private final int status;
    private final Map<String, List<String>> headers;
    private final ChunkProducer chunkProducer;
    private final ChunkQueue chunks;

    /** Of the reader alone. */
    private byte[] current = {};

    private int position;

    private final ByteArrayOutputStream partialLine = new ByteArrayOutputStream();

    /** Where the body comes from. Its methods do not wait. */
    public interface ChunkProducer {
        /** Feeds nothing on demand and does not care for the closing. */
        ChunkProducer NONE = new ChunkProducer() {};

        /** The reader has taken a chunk: there is room for one more. */
        default void requestMore() {}

        /** The reader has closed the stream before its end. */
        default void cancel() {}
    }

    /** A stream with this head, and no body yet. */
    public PushedResponseStream(
            Platform platform, int status, Map<String, List<String>> headers, ChunkProducer chunkProducer) {
        this.platform = platform;
        this.status = status;
        this.headers = Map.copyOf(headers);
        this.chunkProducer = chunkProducer;
        this.chunks = new ChunkQueue(platform);
    }

    /** Adds to the body; the buffer is not copied. Ignored after the end. */
    public void feed(ByteBuffer chunk) {
        chunks.add(chunk);
    }

    /** The body is complete. */
    public void end() {
        chunks.end(null);
    }

    /** The body is broken: the reader gets what there is, then this failure. */
    public void fail(IOException failure) {
        chunks.end(failure);
    }

    /** True once the reader has closed it. */
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
        boolean ended = false;
        boolean complete = false;
        while (!ended && !(complete && partialLine.size() > 0)) {
            ended = remaining() == 0 && !advance(deadline);
            complete = !ended && takeUpToLineEnd();
        }
        return partialLine.size() == 0 ? null : takeLine();
    }

    /** Moves bytes from the current chunk to the line; true if the line has ended. */
    private boolean takeUpToLineEnd() {
        int end = position;
        while (end < current.length && current[end] != '\n') {
            end++;
        }
        partialLine.write(current, position, end - position);
        boolean ended = end < current.length;
        position = ended ? end + 1 : end;
        return ended;
    }

    private int remaining() {
        return current.length - position;
    }

    private byte[] takeLine() {
        byte[] line = partialLine.toByteArray();
        partialLine.reset();
        return line;
    }

    /** Waits for a chunk; false at the end of the body. */
    private boolean advance(Deadline deadline) throws IOException, InterruptedException {
        Optional<ByteBuffer> chunk = chunks.take(deadline);
        if (chunk.isEmpty()) {
            return false;
        }
        // Out of the buffer at once: byte by byte, that would be a call through its class for each.
        current = new byte[chunk.get().remaining()];
        position = 0;
        chunk.get().get(current);
        chunkProducer.requestMore();
        return true;
    }

    @Override
    public InputStream body(Duration idleEach) {
        return new BodyInputStream(idleEach);
    }

    @Override
    public void close() {
        if (chunks.close()) {
            chunkProducer.cancel();
        }
    }

    private final class BodyInputStream extends InputStream {
        private final Duration idleEach;

        BodyInputStream(Duration idleEach) {
            this.idleEach = idleEach;
        }

        @Override
        public int read() throws IOException {
            return fill() ? current[position++] & 0xFF : -1;
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            if (length == 0) {
                return 0;
            }
            if (!fill()) {
                return -1;
            }
            int count = Math.min(length, remaining());
            System.arraycopy(current, position, target, offset, count);
            position += count;
            return count;
        }

        private boolean fill() throws IOException {
            try {
                while (remaining() == 0) {
                    if (!advance(platform.after(idleEach))) {
                        return false;
                    }
                }
                return true;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                InterruptedIOException interrupted = new InterruptedIOException("interrupted while reading an answer");
                interrupted.initCause(e);
                throw interrupted;
            }
        }
    }
}
