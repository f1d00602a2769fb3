package dev.kopf4j.client.transport;

import dev.kopf4j.client.transport.ResponseStream.StreamIdleException;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Reads the chunks of a body as lines or as bytes. Confined to the reading task. */
public final class ChunkReader {
    private final ChunkSource source;
    private final ByteArrayOutputStream partialLine = new ByteArrayOutputStream();
    private byte[] current = {};
    private int position;

    /** Makes a reader of a body that was not read yet. */
    public ChunkReader(ChunkSource source) {
        this.source = source;
    }

    /**
     * Waits for a line that is not empty; null at the end of the body. After an exception, reading may go on.
     *
     * @throws IOException as {@link ChunkSource#next}
     * @throws InterruptedException if the task is interrupted
     */
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

    private byte[] takeLine() {
        byte[] line = partialLine.toByteArray();
        partialLine.reset();
        return line;
    }

    /** Returns the body as bytes, each read of which waits for {@code idleEach} at most. */
    public InputStream bytes(Platform platform, Duration idleEach) {
        return new ChunkInputStream(platform, this, idleEach);
    }

    /** How many bytes of the current chunk are left. */
    private int remaining() {
        return current.length - position;
    }

    /** The next byte of the current chunk, which must have one. */
    private int takeByte() {
        return current[position++] & 0xFF;
    }

    /** Copies bytes of the current chunk; returns how many. */
    private int take(byte[] target, int offset, int length) {
        int count = Math.min(length, remaining());
        System.arraycopy(current, position, target, offset, count);
        position += count;
        return count;
    }

    /** Waits for a chunk, which replaces the current one; false at the end of the body. */
    private boolean advance(Deadline deadline) throws IOException, InterruptedException {
        byte[] chunk = source.next(deadline);
        if (chunk == null) {
            return false;
        }
        current = chunk;
        position = 0;
        return true;
    }

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

    /** The body of a response as bytes. Confined to the reading task. */
    private static final class ChunkInputStream extends InputStream {
        private final Platform platform;
        private final ChunkReader reader;
        private final Duration idleEach;

        ChunkInputStream(Platform platform, ChunkReader reader, Duration idleEach) {
            this.platform = platform;
            this.reader = reader;
            this.idleEach = idleEach;
        }

        @Override
        public int read() throws IOException {
            return fill() ? reader.takeByte() : -1;
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            if (length == 0) {
                return 0;
            }
            return fill() ? reader.take(target, offset, length) : -1;
        }

        /** False at the end of the body. */
        private boolean fill() throws IOException {
            try {
                while (reader.remaining() == 0) {
                    if (!reader.advance(platform.after(idleEach))) {
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
