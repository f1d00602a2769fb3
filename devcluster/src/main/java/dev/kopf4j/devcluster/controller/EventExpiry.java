package dev.kopf4j.devcluster.controller;

import dev.kopf4j.devcluster.registry.ServerContext;
import dev.kopf4j.devcluster.storage.ResourceBucket;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes events an hour after they were written last: {@code event-ttl} of the API server,
 * {@code pkg/controlplane/apiserver/options/options.go}, v1.33. Thread-safe.
 */
public final class EventExpiry {
    private static final String EVENTS = "events";
    private static final Duration LIFETIME = Duration.ofHours(1);
    private static final Logger LOG = LoggerFactory.getLogger(EventExpiry.class);
    private final ServerContext state;
    /** Oldest first. */
    private final Deque<Written> written = new ArrayDeque<>();

    /** An expiry over a store; {@link #start} lets it work. */
    public EventExpiry(ServerContext state) {
        this.state = state;
    }

    private record Written(Instant time, String namespace, String name, long version) {}

    /** Begins to follow the changes; events that are there already have a whole hour. */
    public void start() {
        state.follow(EVENTS, this::note);
    }

    private void note(StoredObject event) {
        synchronized (written) {
            written.addLast(new Written(state.instant(), event.namespace(), event.name(), event.version()));
            if (written.size() == 1) {
                wakeAfter(LIFETIME);
            }
        }
    }

    private void wakeAfter(Duration delay) {
        var _ = state.taskScheduler().later(delay, this::expire);
    }

    private void expire() {
        ResourceBucket events = state.objectStore().bucket(EVENTS);
        for (Written due : takeDue()) {
            StoredObject present = events.get(due.namespace(), due.name());
            if (present != null && present.version() == due.version()) {
                remove(events, present);
            }
        }
    }

    /** What cannot be removed now, as on a full disk, has its time once more: the others go. */
    private void remove(ResourceBucket events, StoredObject event) {
        try {
            state.objectStore().remove(events, event);
        } catch (RuntimeException e) {
            LOG.atError()
                    .setCause(e)
                    .log("the event {} has expired, but cannot be removed; it stays for another hour", event);
            note(event);
        }
    }

    private List<Written> takeDue() {
        Instant limit = state.instant().minus(LIFETIME);
        List<Written> due = new ArrayList<>();
        synchronized (written) {
            while (!written.isEmpty() && !written.getFirst().time().isAfter(limit)) {
                due.add(written.removeFirst());
            }
            if (!written.isEmpty()) {
                Duration left = Duration.between(limit, written.getFirst().time());
                wakeAfter(left.plusMillis(1)); // timers of the machine know milliseconds: never wake too early
            }
        }
        return due;
    }
}
