package dev.kopf4j.engine.queueing;

import dev.kopf4j.client.api.WatchEvent;
import dev.kopf4j.engine.cause.RawEvent;
import dev.kopf4j.engine.cause.RawEvent.WatchEventType;
import dev.kopf4j.engine.cause.ResourceVersions;
import dev.kopf4j.json.Json;

/** An event of an object, as it waits to be processed. Immutable. */
sealed interface QueuedEvent {
    /** An event whose object is parsed already. */
    static QueuedEvent parsed(RawEvent event) {
        return new Parsed(event);
    }

    /** An event of a watch, whose object is parsed when its turn comes. */
    static QueuedEvent unparsed(WatchEventType type, WatchEvent event) {
        return new Unparsed(type, event);
    }

    /**
     * The same event as text, for a long wait among many others: a parsed tree takes about ten times as much memory.
     */
    default QueuedEvent compact() {
        return this;
    }

    /** The event. */
    RawEvent event();

    /** What happened. */
    WatchEventType type();

    /** The version of the object; empty if it has none. */
    String version();

    /** How urgent it is. */
    default WorkPriority priority() {
        return switch (type()) {
            case LISTED -> WorkPriority.LISTED;
            case DELETED -> WorkPriority.DELETION;
            case ADDED, MODIFIED -> WorkPriority.CHANGE;
        };
    }

    /**
     * True if this state is older than that of an earlier event: it has come late, or once more. A listed or a deleted
     * state is never older, whatever its version says: the server may have begun to count anew.
     */
    default boolean isOlderThan(QueuedEvent earlier) {
        return type() != WatchEventType.LISTED
                && type() != WatchEventType.DELETED
                && ResourceVersions.areNumbers(version(), earlier.version())
                && !ResourceVersions.isAtLeast(version(), earlier.version());
    }

    /** As it came in a list. */
    record Parsed(RawEvent event) implements QueuedEvent {
        @Override
        public QueuedEvent compact() {
            return new Compact(event.type(), version(), Json.bytes(event.body()), event.synthetic());
        }

        @Override
        public WatchEventType type() {
            return event.type();
        }

        @Override
        public String version() {
            return ResourceVersions.of(event.body());
        }
    }

    /** With its object as JSON. */
    @SuppressWarnings("ArrayRecordComponent") // private to the queue
    record Compact(WatchEventType type, String version, byte[] body, boolean synthetic) implements QueuedEvent {
        @Override
        public RawEvent event() {
            return new RawEvent(type, Json.parseObject(body), synthetic);
        }
    }

    /** As it came in a watch. */
    record Unparsed(WatchEventType type, WatchEvent line) implements QueuedEvent {
        @Override
        public RawEvent event() {
            return RawEvent.of(type, line.object());
        }

        @Override
        public String version() {
            return line.resourceVersion();
        }

        @Override
        public WorkPriority priority() {
            return line.isDeleting() ? WorkPriority.DELETION : QueuedEvent.super.priority();
        }
    }
}
