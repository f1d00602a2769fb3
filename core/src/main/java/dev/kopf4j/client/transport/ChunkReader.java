package dev.kopf4j.client.transport;

import dev.kopf4j.runtime.Deadline;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
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

    /** How many bytes of the current chunk are left. */
    int remaining() {
        return current.length - position;
    }

    /** The next byte of the current chunk, which must have one. */
    int takeByte() {
        return current[position++] & 0xFF;
    }

    /** Copies bytes of the current chunk; returns how many. */
    int take(byte[] target, int offset, int length) {
        int count = Math.min(length, remaining());
        System.arraycopy(current, position, target, offset, count);
        position += count;
        return count;
    }

    /** Waits for a chunk, which replaces the current one; false at the end of the body. */
    boolean advance(Deadline deadline) throws IOException, InterruptedException {
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
}
