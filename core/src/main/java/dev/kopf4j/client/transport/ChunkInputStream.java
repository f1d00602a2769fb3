package dev.kopf4j.client.transport;

import dev.kopf4j.runtime.Platform;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.time.Duration;

/** The body of a response as bytes. Confined to the reading task. */
public final class ChunkInputStream extends InputStream {
    private final Platform platform;
    private final ChunkReader reader;
    private final Duration idleEach;

    /** Makes a stream each read of which waits for {@code idleEach} at most. */
    public ChunkInputStream(Platform platform, ChunkReader reader, Duration idleEach) {
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
