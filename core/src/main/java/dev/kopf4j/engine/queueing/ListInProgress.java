package dev.kopf4j.engine.queueing;

import dev.kopf4j.engine.cause.ResourceVersions;
import dev.kopf4j.engine.cause.WatchEventType;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which events are over when they come, as a list is read while its resource is watched already: the list may tell of
 * an object from before its change, the watch of changes from before the list. Guarded by the dispatcher's monitor.
 */
final class ListInProgress {
    private final Set<String> deleted = new HashSet<>();
    private @Nullable String watchedFrom;
    private boolean reading;

    /** A list begins, and nothing is watched. */
    void begin() {
        reading = true;
        watchedFrom = null;
        deleted.clear();
    }

    /** While the list is read, changes come in that were made after that version, which is the list's. */
    void watchedFrom(String version) {
        watchedFrom = version;
    }

    /** The list was read to its end. */
    void complete() {
        reading = false;
        watchedFrom = null;
        deleted.clear();
    }

    /**
     * True if the list has the object of an event: what changes meanwhile, and was not created meanwhile, is in the
     * list, too.
     */
    boolean has(WatchEventType type) {
        return type == WatchEventType.LISTED || (reading && type == WatchEventType.MODIFIED);
    }

    /** An event of an object was taken. */
    void taken(String uid, WatchEventType type) {
        if (reading && type == WatchEventType.DELETED) {
            deleted.add(uid);
        }
    }

    /**
     * True if the event tells of a state that is over.
     *
     * @param queue the object; null if it is not known
     */
    boolean isOver(String uid, QueuedEvent event, @Nullable ObjectQueue queue) {
        return switch (event.type()) {
            case LISTED -> deleted.contains(uid) || (queue != null && queue.hasChangedSinceList());
            case ADDED, MODIFIED -> watchedFrom != null && covers(watchedFrom, event.version());
            // Its version may be that of the object's last state.
            case DELETED -> false;
        };
    }

    /** Confused servers send old events once more. */
    private static boolean covers(String ofList, String version) {
        return ResourceVersions.areNumbers(version, ofList) && ResourceVersions.isAtLeast(ofList, version);
    }
}
