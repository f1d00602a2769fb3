package dev.kopf4j.client.watch;

import dev.kopf4j.Resource;
import dev.kopf4j.client.error.ConnectionFailedException;
import dev.kopf4j.client.error.Target;
import dev.kopf4j.client.request.FailureListener;
import dev.kopf4j.client.request.OpenStream;
import dev.kopf4j.client.request.Requests;
import dev.kopf4j.client.transport.Call;
import dev.kopf4j.client.transport.IdleException;
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

    private WatchStream(Platform platform, OpenStream open, Duration idle) {
        this.platform = platform;
        this.open = open;
        this.idle = idle;
    }

    /**
     * Opens a watch, which the caller closes.
     *
     * @param namespace where to look; null for everywhere
     * @param resourceVersion after which version the events begin; empty for what exists, then from now on
     * @param listener hears of the attempts that have failed
     */
    public static WatchStream open(
            Requests requests,
            Resource resource,
            @Nullable String namespace,
            String resourceVersion,
            WatchOptions options,
            FailureListener listener)
            throws InterruptedException {
        Target target = Target.ofCollection("watch", resource, namespace);
        Call call = Call.get(resource.url(namespace, null, null, options.params(resourceVersion)));
        OpenStream open = requests.open(target, call, options.connect(), listener);
        return new WatchStream(requests.platform(), open, options.idle());
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
    public @Nullable WatchEvent next(Deadline atMost) throws IdleException, InterruptedException {
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
