package dev.kopf4j.client.watching;

import dev.kopf4j.client.api.DamagedStreamException;
import dev.kopf4j.client.api.WatchEvent;
import dev.kopf4j.client.api.WatchStream;
import dev.kopf4j.client.error.ApiException;
import dev.kopf4j.client.error.ClientException;
import dev.kopf4j.client.error.RequestDescription;
import dev.kopf4j.client.transport.StreamIdleException;
import dev.kopf4j.client.watching.StreamedList.NoInitialEventsException;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.text.DurationText;
import java.time.Duration;
import java.util.Optional;
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
}
