package dev.kopf4j.client.watching;

import dev.kopf4j.client.api.DamagedStreamException;
import dev.kopf4j.client.api.WatchEvent;
import dev.kopf4j.client.api.WatchStream;
import dev.kopf4j.client.error.ApiException;
import dev.kopf4j.client.error.ClientException;
import dev.kopf4j.client.error.ConnectionFailedException;
import dev.kopf4j.client.error.RequestDescription;
import dev.kopf4j.client.transport.StreamIdleException;
import dev.kopf4j.client.watching.WatchSession.StreamedList.NoInitialEventsException;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.text.DurationText;
import java.io.Serial;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One watch, from its opening to its end. Confined to the task of its {@link ListAndWatchLoop}. */
final class WatchSession {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.client");

    /** A watch that lived this long was healthy even if nothing happened. */
    private static final Duration HEALTHY_AFTER = Duration.ofSeconds(10);

    private final Platform platform;
    private final WatchScope scope;
    private final ListAndWatchListener listener;
    private final WatchFailureReport failures;
    private final Deadline resync;
    private String version;
    private boolean healthy;
    private boolean moved;

    /**
     * A watch that has not begun.
     *
     * @param version from which version it goes on
     * @param resync when everything is to be listed again
     */
    WatchSession(
            Platform platform,
            WatchScope scope,
            ListAndWatchListener listener,
            WatchFailureReport failures,
            String version,
            Deadline resync) {
        this.platform = platform;
        this.scope = scope;
        this.listener = listener;
        this.failures = failures;
        this.version = version;
        this.resync = resync;
    }

    /** The last version that the listener has. */
    String version() {
        return version;
    }

    /** True if anything came, or the watch lived for a while. */
    boolean wasHealthy() {
        return healthy;
    }

    /** Opens a watch that begins with what exists, and reads it until it ends. */
    WatchEnding listAndWatch(WatchOpening opening, WatchingSettings settings) throws InterruptedException {
        try {
            Optional<WatchStream> stream = opening.openWithInitialEvents(failures::retrying);
            return stream.isPresent() ? listAndWatch(stream.get(), settings) : WatchEnding.LIST_BY_PAGES;
        } catch (NoInitialEventsException e) {
            opening.doesNotStreamLists(e);
            return WatchEnding.LIST_BY_PAGES;
        } catch (ClientException e) {
            if (WatchEnding.refusesInitialEvents(e)) {
                opening.doesNotStreamLists(e);
                return WatchEnding.LIST_BY_PAGES;
            }
            failures.failed("listing failed", e);
            return e.getCause() instanceof DamagedStreamException ? WatchEnding.LIST_BY_PAGES : WatchEnding.RELIST;
        }
    }

    private WatchEnding listAndWatch(WatchStream opened, WatchingSettings settings)
            throws NoInitialEventsException, InterruptedException {
        StreamedList list = new StreamedList(platform, scope, listener, settings.inactivityTimeout());
        try (WatchStream stream = opened) {
            failures.alive();
            version = list.read(stream);
            return watch(stream, settings);
        }
    }

    /** Opens the watch, and reads it until it ends. */
    WatchEnding watch(WatchOpening opening, WatchingSettings settings) throws InterruptedException {
        try (WatchStream stream = opening.open(version, failures::retrying)) {
            failures.alive();
            return watch(stream, settings);
        } catch (ClientException e) {
            return broken(e);
        }
    }

    private WatchEnding watch(WatchStream stream, WatchingSettings settings) throws InterruptedException {
        try {
            Duration total = settings.clientTimeout();
            return read(stream, resync.orEarlier(total == null ? Deadline.NEVER : platform.after(total)));
        } catch (StreamIdleException e) {
            // Perhaps nothing was to be said: not every server sends bookmarks. The next watch will tell.
            failures.silent("nothing was heard for " + DurationText.format(settings.inactivityTimeout()));
            return WatchEnding.REOPEN;
        } catch (ClientException e) {
            return broken(e);
        }
    }

    private WatchEnding broken(ClientException failure) {
        failures.failed("watching failed", failure);
        return isStuck(failure) ? WatchEnding.RELIST : WatchEnding.afterFailure(failure);
    }

    /** From this version on, the same would come again and again. */
    private boolean isStuck(ClientException failure) {
        return !moved && failure.getCause() instanceof DamagedStreamException;
    }

    private WatchEnding read(WatchStream stream, Deadline total) throws StreamIdleException, InterruptedException {
        Deadline steady = platform.after(HEALTHY_AFTER);
        try {
            WatchEvent event = stream.next(total);
            while (event != null) {
                failures.alive();
                if (event.type() == WatchEvent.Type.ERROR) {
                    healthy &= WatchEnding.isExpiredVersion(event);
                    reportUnlessExpired(event);
                    return WatchEnding.afterErrorEvent();
                }
                deliver(event);
                healthy = true;
                moved = true;
                event = stream.next(total);
            }
            return resync.hasPassed(platform) ? WatchEnding.RELIST : WatchEnding.REOPEN;
        } catch (StreamIdleException e) {
            if (total.hasPassed(platform)) {
                return resync.hasPassed(platform) ? WatchEnding.RELIST : WatchEnding.REOPEN;
            }
            throw e;
        } finally {
            healthy |= steady.hasPassed(platform);
        }
    }

    /** The version moves on only when the listener has the event. */
    private void deliver(WatchEvent event) throws InterruptedException {
        switch (event.type()) {
            case ADDED, MODIFIED, DELETED -> new ObjectDelivery(listener).event(event);
            case BOOKMARK, ERROR -> {}
            case UNKNOWN -> log.warn("Ignoring an unsupported event type: {} (of {})", event.rawType(), scope);
        }
        String seen = event.resourceVersion();
        version = seen.isEmpty() ? version : seen;
    }

    private void reportUnlessExpired(WatchEvent error) {
        if (!WatchEnding.isExpiredVersion(error)) {
            RequestDescription request = RequestDescription.ofCollection("watch", scope.resource(), scope.namespace());
            failures.failed(
                    "the server reported an error in the stream",
                    ApiException.ofStatus(request, error.errorCode(), error.object()));
        }
    }

    /**
     * A list that comes as the first events of a watch, up to a bookmark that says so (KEP-3157). Changes that happen
     * meanwhile may be among the events. Confined to the task of the loop.
     *
     * @see <a href="https://kubernetes.io/docs/reference/using-api/api-concepts/#streaming-lists">Streaming lists</a>
     */
    static final class StreamedList {
        private final Platform platform;
        private final WatchScope scope;
        private final ListAndWatchListener listener;
        private final ObjectDelivery delivery;
        private final Duration patience;
        private final List<WatchEvent> heldBack = new ArrayList<>();
        private final Set<ObjectName> deleted = new HashSet<>();

        private record ObjectName(
                @Nullable String namespace, @Nullable String name) {}

        /**
         * Makes a list that has not begun.
         *
         * @param patience how long the server may take until the next object or the end of the list
         */
        StreamedList(Platform platform, WatchScope scope, ListAndWatchListener listener, Duration patience) {
            this.platform = platform;
            this.scope = scope;
            this.listener = listener;
            this.delivery = new ObjectDelivery(listener);
            this.patience = patience;
        }

        /**
         * Reads the list, and tells the listener that it is complete. The stream goes on as an ordinary watch then.
         *
         * @return the version of the list
         * @throws NoInitialEventsException if the server does not tell where the list ends
         * @throws ApiException if the server reports an error before that
         * @throws ConnectionFailedException if the connection is lost before that
         */
        String read(WatchStream stream) throws NoInitialEventsException, InterruptedException {
            listener.listStarted();
            WatchEvent event = next(stream);
            while (!event.endsInitialEvents()) {
                take(event);
                event = next(stream);
            }
            listener.listComplete(event.resourceVersion());
            for (WatchEvent change : heldBack) {
                delivery.event(change);
            }
            return event.resourceVersion();
        }

        private WatchEvent next(WatchStream stream) throws NoInitialEventsException, InterruptedException {
            Deadline deadline = platform.after(patience);
            try {
                WatchEvent event = stream.next(deadline);
                if (event == null) {
                    throw new NoInitialEventsException("the watch has ended without telling that the list is complete");
                }
                listener.alive();
                return event;
            } catch (StreamIdleException e) {
                throw new NoInitialEventsException(
                        "for " + DurationText.format(patience) + " nothing has told that the list is complete");
            }
        }

        private void take(WatchEvent event) throws NoInitialEventsException, InterruptedException {
            switch (event.type()) {
                case ADDED, MODIFIED -> listOrHoldBack(event);
                case DELETED -> holdBack(event);
                // A server that has the feature sends no bookmark before the one that ends the list.
                case BOOKMARK -> throw new NoInitialEventsException("the first bookmark does not end a list");
                case ERROR -> throw failure(event);
                case UNKNOWN -> {}
            }
        }

        /** An object of the same name as a deleted one is new: it has to come after the deletion. */
        private void listOrHoldBack(WatchEvent event) throws InterruptedException {
            if (deleted.contains(name(event))) {
                heldBack.add(event);
            } else {
                delivery.listed(event);
            }
        }

        /** The listener can take objects out of a list only when the list is complete. */
        private void holdBack(WatchEvent event) {
            deleted.add(name(event));
            heldBack.add(event);
        }

        private static ObjectName name(WatchEvent event) {
            return new ObjectName(event.namespace(), event.name());
        }

        private ApiException failure(WatchEvent error) {
            RequestDescription request = RequestDescription.ofCollection("watch", scope.resource(), scope.namespace());
            return ApiException.ofStatus(request, error.errorCode(), error.object());
        }

        /** A server has accepted a watch with initial events, but does not tell where they end. */
        static final class NoInitialEventsException extends Exception {
            @Serial
            private static final long serialVersionUID = 1L;

            NoInitialEventsException(String message) {
                super(message);
            }
        }
    }
}
