package dev.kopf4j.client;

import dev.kopf4j.json.JsonConversionException;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** An open watch. Read by one task at a time; closed by any. */
public final class WatchStream implements AutoCloseable {
    private final Platform platform;
    private final OpenStream open;
    private final Duration idle;

    WatchStream(Platform platform, OpenStream open, Duration idle) {
        this.platform = platform;
        this.open = open;
        this.idle = idle;
    }

    /**
     * Waits for the next event.
     *
     * @return the event, errors and bookmarks included; null if the server has ended the stream
     * @throws IdleException if nothing has come for the idle time
     * @throws ConnectionFailedException if the connection is lost, or a line is damaged
     * @throws InterruptedException if the task is interrupted
     */
    public @Nullable WatchEvent next() throws IdleException, InterruptedException {
        return next(Deadline.NEVER);
    }

    /** As {@link #next()}, but waits no longer than the given deadline. */
    @Nullable WatchEvent next(Deadline atMost) throws IdleException, InterruptedException {
        try {
            byte[] line = open.stream().nextLine(platform.after(idle).orEarlier(atMost));
            return line == null ? null : read(line);
        } catch (IdleException e) {
            throw e;
        } catch (IOException e) {
            throw Requests.failed(open.target(), open.server(), e);
        }
    }

    private static WatchEvent read(byte[] line) throws IOException {
        try {
            return WatchEvent.of(line);
        } catch (JsonConversionException e) {
            throw new IOException("a line of the stream is damaged: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        open.stream().close();
    }
}
