package dev.kopf4j.client.watching;

import dev.kopf4j.Resource;
import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.runtime.Platform;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a stream of events of one resource going for ever: lists what exists, then watches what happens, and restores
 * itself after every failure.
 *
 * <p>A watch that ends or breaks goes on from the last version seen, without a new list. Only where that cannot work
 * (the version is too old, the server refuses it or reports an error within the stream) everything is listed anew.
 * Delays between failures grow up to a bound, and shrink when the stream has been well. Whatever goes wrong is told to
 * the listener; there is no other end than an interruption or an exception of the listener itself.
 */
public final class ListAndWatchLoop {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.client");

    private final Platform platform;
    private final KubernetesApi api;
    private final WatchScope place;
    private final WatchingSettings settings;

    /**
     * A loop that has not begun.
     *
     * @param namespace where to look; null for everywhere
     */
    public ListAndWatchLoop(
            Platform platform,
            KubernetesApi api,
            Resource resource,
            @Nullable String namespace,
            WatchingSettings settings) {
        this.platform = platform;
        this.api = api;
        this.place = new WatchScope(resource, namespace);
        this.settings = settings;
    }

    /** Runs in the caller's task until it is interrupted; the interrupt flag is set then. */
    public void run(ListAndWatchListener listener) {
        log.debug("Starting the watch-stream for {}.", place);
        try {
            new WatchRun(platform, api, place, settings, listener).listAndWatchForever();
        } catch (InterruptedException e) {
            log.debug("Stopping the watch-stream for {}.", place);
            Thread.currentThread().interrupt();
        }
    }
}
