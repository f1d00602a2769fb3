package dev.kopf4j.client.watching;

import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.api.ListListener;
import dev.kopf4j.client.api.WatchOptions;
import dev.kopf4j.client.api.WatchStream;
import dev.kopf4j.client.error.ClientException;
import dev.kopf4j.client.transport.NetworkSettings;
import dev.kopf4j.client.transport.StreamIdleException;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/** A running {@link ListAndWatchLoop}: which step comes next, and after which delay. Confined to its task. */
final class WatchRun {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.client");

    private final Platform platform;
    private final KubernetesApi api;
    private final WatchScope place;
    private final WatchingSettings settings;
    private final ListAndWatchListener listener;
    private final WatchFailureReport trouble;
    private final ReconnectBackoff backoff;
    private String version = "";

    WatchRun(
            Platform platform,
            KubernetesApi api,
            WatchScope place,
            WatchingSettings settings,
            ListAndWatchListener listener) {
        this.platform = platform;
        this.api = api;
        this.place = place;
        this.settings = settings;
        this.listener = listener;
        this.trouble = new WatchFailureReport(place, listener);
        this.backoff = new ReconnectBackoff(platform, settings.reconnectBackoff(), settings.reconnectBackoffMax());
    }

    void listAndWatchForever() throws InterruptedException {
        while (true) {
            if (list()) {
                watchUntilRelist();
            }
            platform.sleep(backoff.next());
        }
    }

    /** False if it failed. */
    private boolean list() throws InterruptedException {
        try {
            listener.listStarted();
            version = api.list(place.resource(), place.namespace(), settings.pageSize(), new ListForwarding())
                    .resourceVersion();
        } catch (ClientException e) {
            trouble.failed("listing failed", e);
            return false;
        }
        listener.listComplete(version);
        return true;
    }

    /** Watches until a new list is needed. */
    private void watchUntilRelist() throws InterruptedException {
        WatchSession.WatchEnding watchEnding;
        do {
            WatchSession connection = new WatchSession(platform, place, listener, trouble, version);
            watchEnding = watch(connection);
            version = connection.version();
            if (connection.wasHealthy()) {
                backoff.reset();
            }
            boolean fruitless = watchEnding == WatchSession.WatchEnding.ENDED && !connection.wasHealthy();
            if (watchEnding == WatchSession.WatchEnding.BROKEN || fruitless) {
                platform.sleep(backoff.next());
            }
        } while (watchEnding != WatchSession.WatchEnding.OUTDATED);
        log.debug("Restarting the watch-stream for {}.", place);
    }

    private WatchSession.WatchEnding watch(WatchSession connection) throws InterruptedException {
        try (WatchStream stream = open()) {
            listener.alive();
            Duration total = settings.clientTimeout();
            return connection.read(stream, total == null ? Deadline.NEVER : platform.after(total));
        } catch (StreamIdleException e) {
            trouble.silent("nothing was heard for " + settings.inactivityTimeout());
            return WatchSession.WatchEnding.BROKEN;
        } catch (ClientException e) {
            trouble.failed("watching failed", e);
            return WatchSession.WatchEnding.afterFailure(e);
        }
    }

    private WatchStream open() throws InterruptedException {
        WatchOptions options =
                new WatchOptions(serverTimeoutSeconds(), true, settings.inactivityTimeout(), connectTimeout());
        return api.watch(place.resource(), place.namespace(), version, options, trouble::retrying);
    }

    private int serverTimeoutSeconds() {
        Duration fixed = settings.serverTimeout();
        return fixed == null
                ? platform.random().nextInt(240, 481)
                : (int) Math.max(1, Math.min(fixed.toSeconds(), Integer.MAX_VALUE));
    }

    private Duration connectTimeout() {
        if (settings.connectTimeout() != null) {
            return settings.connectTimeout();
        }
        NetworkSettings network = api.settings();
        return network.connectTimeout() == null ? network.requestTimeout() : network.connectTimeout();
    }

    /** Passes a list on to the listener of the stream. */
    private final class ListForwarding implements ListListener {
        @Override
        public void item(ObjectNode object) throws InterruptedException {
            listener.listed(object);
        }

        @Override
        public void restarted() throws InterruptedException {
            listener.listStarted();
        }

        @Override
        public void pageRead() {
            listener.alive();
        }

        @Override
        public void retrying(ClientException failure) {
            trouble.retrying(failure);
        }
    }
}
