package dev.kopf4j.client.watching;

import dev.kopf4j.client.api.WatchEvent;
import dev.kopf4j.client.api.WatchStream;
import dev.kopf4j.client.error.ApiException;
import dev.kopf4j.client.error.ClientException;
import dev.kopf4j.client.error.ForbiddenException;
import dev.kopf4j.client.error.RequestDescription;
import dev.kopf4j.client.error.TooManyRequestsException;
import dev.kopf4j.client.error.UnauthorizedException;
import dev.kopf4j.client.transport.StreamIdleException;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One watch of a {@link WatchRun}, from its opening to its end. Confined to its task. */
final class WatchSession {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.client");

    /** A watch that lived that long counts as well, even if nothing happened. */
    private static final Duration STEADY_AFTER = Duration.ofSeconds(10);

    private final Platform platform;
    private final WatchScope place;
    private final ListAndWatchListener listener;
    private final WatchFailureReport trouble;
    private String version;
    private boolean well;

    WatchSession(
            Platform platform,
            WatchScope place,
            ListAndWatchListener listener,
            WatchFailureReport trouble,
            String version) {
        this.platform = platform;
        this.place = place;
        this.listener = listener;
        this.trouble = trouble;
        this.version = version;
    }

    /** How a watch ended, and so how to go on. */
    enum WatchEnding {
        /** It came to its planned end. */
        ENDED,
        /** It broke: go on from the last version. */
        BROKEN,
        /** The last version is of no use any more: list again. */
        OUTDATED;

        /** Lists anew where the server has a reason of its own to refuse the version, or does not say. */
        static WatchEnding afterFailure(ClientException failure) {
            return switch (failure) {
                case UnauthorizedException e -> BROKEN;
                case ForbiddenException e -> BROKEN;
                case TooManyRequestsException e -> BROKEN;
                case ApiException e -> OUTDATED;
                default -> BROKEN;
            };
        }
    }

    /** The last version that the listener has. */
    String version() {
        return version;
    }

    /** True if anything came, or the watch lived for a while. */
    boolean wasHealthy() {
        return well;
    }

    WatchEnding read(WatchStream stream, Deadline total) throws StreamIdleException, InterruptedException {
        Deadline steady = platform.after(STEADY_AFTER);
        try {
            WatchEvent event = stream.next(total);
            while (event != null) {
                listener.alive();
                if (event.type() == WatchEvent.Type.ERROR) {
                    return relistAfterError(event);
                }
                deliver(event);
                well = true;
                event = stream.next(total);
            }
            return WatchEnding.ENDED;
        } catch (StreamIdleException e) {
            if (total.hasPassed(platform)) {
                return WatchEnding.ENDED;
            }
            throw e;
        } finally {
            well |= steady.hasPassed(platform);
        }
    }

    /** The version moves on only once the listener has the event. */
    private void deliver(WatchEvent event) throws InterruptedException {
        switch (event.type()) {
            case ADDED, MODIFIED, DELETED -> listener.event(event);
            case BOOKMARK, ERROR -> {}
            case UNKNOWN -> log.warn("Ignoring an unsupported event type: {} (of {})", event.rawType(), place);
        }
        String seen = event.resourceVersion();
        version = seen.isEmpty() ? version : seen;
    }

    /** An error within the stream. A version that is too old is a normal thing to happen; nothing else is. */
    private WatchEnding relistAfterError(WatchEvent error) {
        if (error.errorCode() != 410) {
            RequestDescription requestDescription =
                    RequestDescription.ofCollection("watch", place.resource(), place.namespace());
            ApiException failure = ApiException.ofStatus(requestDescription, error.errorCode(), error.object());
            trouble.failed("the server reported an error in the stream", failure);
        }
        return WatchEnding.OUTDATED;
    }
}
