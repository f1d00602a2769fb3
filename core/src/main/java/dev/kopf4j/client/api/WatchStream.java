package dev.kopf4j.client.api;

import dev.kopf4j.Resource;
import dev.kopf4j.client.error.ConnectionFailedException;
import dev.kopf4j.client.error.RequestDescription;
import dev.kopf4j.client.request.RequestSender;
import dev.kopf4j.client.request.RequestSender.OpenResponse;
import dev.kopf4j.client.request.RequestSender.RetryListener;
import dev.kopf4j.client.transport.ResponseStream.StreamIdleException;
import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.json.JsonConversionException;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import java.io.IOException;
import java.io.Serial;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An open watch. One task at a time reads it; any task closes it. */
public final class WatchStream implements AutoCloseable {
    private final Platform platform;
    private final OpenResponse open;
    private final Duration idle;

    private WatchStream(Platform platform, OpenResponse open, Duration idle) {
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
            RequestSender requestSender,
            Resource resource,
            @Nullable String namespace,
            Narrowing narrowing,
            String resourceVersion,
            WatchOptions options,
            RetryListener listener)
            throws InterruptedException {
        RequestDescription requestDescription = RequestDescription.ofCollection("watch", resource, namespace);
        String url = resource.url(namespace, null, null, narrowing.params(options.params(resourceVersion)));
        TransportRequest transportRequest = new TransportRequest("GET", url, narrowing.watchHeaders(), null);
        OpenResponse open = requestSender.open(requestDescription, transportRequest, options.connect(), listener);
        return new WatchStream(requestSender.platform(), open, options.idle());
    }

    /**
     * Waits for the next event.
     *
     * @return the event, which may be an error, a bookmark, or of an object that cannot be read; null if the server has
     *     ended the stream
     * @throws StreamIdleException if nothing came for the idle time
     * @throws ConnectionFailedException if the connection is lost, or a line is so damaged that it does not tell its
     *     object
     * @throws InterruptedException if the task is interrupted
     */
    public @Nullable WatchEvent next() throws StreamIdleException, InterruptedException {
        return next(Deadline.NEVER);
    }

    /** Waits as {@link #next()} does, but not beyond the given deadline. */
    public @Nullable WatchEvent next(Deadline atMost) throws StreamIdleException, InterruptedException {
        try {
            byte[] line = open.stream().nextLine(platform.after(idle).orEarlier(atMost));
            return line == null ? null : read(line);
        } catch (StreamIdleException e) {
            throw e;
        } catch (IOException e) {
            throw open.broken(e);
        }
    }

    private static WatchEvent read(byte[] line) throws IOException {
        try {
            return WatchEvent.ofMaybeDamaged(line);
        } catch (JsonConversionException e) {
            throw new DamagedStreamException("a line of the stream is damaged: " + e.getMessage());
        }
    }

    @Override
    public void close() {
        open.stream().close();
    }

    /** What the server has sent is no JSON, and it cannot be told of which object it is. */
    public static final class DamagedStreamException extends IOException {
        @Serial
        private static final long serialVersionUID = 1L;

        DamagedStreamException(String message) {
            super(message);
        }
    }

    /**
     * The options of a watch.
     *
     * @param timeoutSeconds after how many seconds the server ends the watch; 0 leaves it to the server
     * @param bookmarks whether the server sends bookmarks: signs of life that carry a version
     * @param idle how long the reader waits for a line
     * @param connect how long the head of the response may take
     * @param initialEvents whether the watch begins with an event for each object that exists, and a bookmark behind
     *     the last one; only with bookmarks, and only on servers with the feature {@code WatchList}
     * @see <a
     *     href="https://github.com/kubernetes/enhancements/tree/master/keps/sig-api-machinery/3157-watch-list">KEP-3157</a>
     */
    public record WatchOptions(
            int timeoutSeconds, boolean bookmarks, Duration idle, Duration connect, boolean initialEvents) {
        /** Makes options without initial events. */
        public WatchOptions(int timeoutSeconds, boolean bookmarks, Duration idle, Duration connect) {
            this(timeoutSeconds, bookmarks, idle, connect, false);
        }

        /** Makes options with five minutes for the head of the response. */
        public WatchOptions(int timeoutSeconds, boolean bookmarks, Duration idle) {
            this(timeoutSeconds, bookmarks, idle, Duration.ofMinutes(5));
        }

        /** Returns the same options with initial events. */
        public WatchOptions withInitialEvents() {
            return new WatchOptions(timeoutSeconds, bookmarks, idle, connect, true);
        }

        Map<String, String> params(String resourceVersion) {
            Map<String, String> params = new LinkedHashMap<>();
            params.put("watch", "true");
            if (bookmarks) {
                params.put("allowWatchBookmarks", "true");
            }
            if (initialEvents) {
                params.put("sendInitialEvents", "true");
                params.put("resourceVersionMatch", "NotOlderThan");
            }
            if (!resourceVersion.isEmpty()) {
                params.put("resourceVersion", resourceVersion);
            }
            if (timeoutSeconds > 0) {
                params.put("timeoutSeconds", Integer.toString(timeoutSeconds));
            }
            return params;
        }
    }
}
