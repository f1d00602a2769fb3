package dev.kopf4j.client.watching;

import dev.kopf4j.client.api.WatchEvent;
import dev.kopf4j.client.api.WatchStream;
import dev.kopf4j.client.error.ApiException;
import dev.kopf4j.client.error.ConnectionFailedException;
import dev.kopf4j.client.error.RequestDescription;
import dev.kopf4j.client.transport.StreamIdleException;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.text.DurationText;
import java.io.Serial;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A list that comes as the first events of a watch, up to a bookmark that says so (KEP-3157). Changes that happen
 * meanwhile may be among the events. Confined to the task of the loop.
 *
 * @see <a href="https://kubernetes.io/docs/reference/using-api/api-concepts/#streaming-lists">Streaming lists</a>
 */
final class StreamedList {
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
