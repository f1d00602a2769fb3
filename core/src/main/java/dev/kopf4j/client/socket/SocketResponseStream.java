package dev.kopf4j.client.socket;

import dev.kopf4j.client.transport.ChunkReader;
import dev.kopf4j.client.transport.ResponseStream;
import dev.kopf4j.client.transport.StreamIdleException;
import dev.kopf4j.client.transport.TransportResponse;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * A response whose body is read from the socket as the reader asks for it. Thread-safe as far as {@link ResponseStream}
 * says.
 */
final class SocketResponseStream implements ResponseStream {
    private static final int CHUNK = 8192;

    private final Platform platform;
    private final ConnectionPool.Lease lease;
    private final int status;
    private final Map<String, List<String>> headers;
    private final InputStream body;
    private final boolean reusable;
    private final ChunkReader reader = new ChunkReader(this::next);
    private final byte[] buffer = new byte[CHUNK];

    /** Guards the state. */
    private final Monitor monitor;

    private State state = State.OPEN;

    private enum State {
        OPEN,
        ENDED,
        CLOSED
    }

    /**
     * Makes the stream of a response whose head has come.
     *
     * @param lease the connection; the stream gives it back
     * @param reusable whether the connection stays open after the body
     */
    SocketResponseStream(
            Platform platform,
            ConnectionPool.Lease lease,
            int status,
            Map<String, List<String>> headers,
            InputStream body,
            boolean reusable) {
        this.platform = platform;
        this.monitor = platform.monitor();
        this.lease = lease;
        this.status = status;
        this.headers = headers;
        this.body = body;
        this.reusable = reusable;
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
        if (monitor.locked(() -> state) == State.ENDED) {
            return null;
        }
        try {
            int count = read(deadline);
            if (count >= 0) {
                return Arrays.copyOf(buffer, count);
            }
        } catch (SocketTimeoutException e) {
            StreamIdleException idle = new StreamIdleException("nothing has come from the server");
            idle.initCause(e);
            throw idle;
        } catch (IOException e) {
            throw translated(e);
        }
        end(State.ENDED, reusable);
        return null;
    }

    private int read(Deadline deadline) throws IOException, InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        if (monitor.locked(() -> state) == State.CLOSED) {
            throw new IOException("closed before it was read");
        }
        long millis = Math.max(1, deadline.left(platform).toMillis());
        lease.connection().readTimeout(deadline.isNever() ? Timeout.DISABLED : Timeout.ofMilliseconds(millis));
        return body.read(buffer);
    }

    private IOException translated(IOException failure) throws InterruptedException {
        if (monitor.locked(() -> state) == State.CLOSED) {
            return new IOException("the stream was closed while it was read", failure);
        }
        if (Thread.interrupted()) {
            InterruptedException interrupted = new InterruptedException("interrupted while reading an answer");
            interrupted.initCause(failure);
            throw interrupted;
        }
        return failure;
    }

    @Override
    public void close() {
        end(State.CLOSED, false);
    }

    /** Gives the connection back, once. */
    private void end(State how, boolean kept) {
        boolean first = monitor.locked(() -> {
            boolean open = state == State.OPEN;
            state = how;
            return open;
        });
        if (first) {
            lease.release(kept);
        }
    }
}
