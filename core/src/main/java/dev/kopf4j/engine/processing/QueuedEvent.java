package dev.kopf4j.engine.processing;

import dev.kopf4j.client.api.WatchEvent;
import dev.kopf4j.engine.cause.RawEvent;
import dev.kopf4j.engine.cause.ResourceVersions;
import dev.kopf4j.engine.cause.WatchEventType;
import dev.kopf4j.json.Json;

/** An event that waits for its processing. Immutable. */
public sealed interface QueuedEvent {
    /** An event whose object was parsed already. */
    static QueuedEvent parsed(RawEvent event) {
        return new Parsed(event);
    }

    /** An event of a watch, whose object is parsed when it is its turn. */
    static QueuedEvent unparsed(WatchEventType type, WatchEvent event) {
        return new Unparsed(type, event);
    }

    /** For one that may wait for a while among many: a tree takes some ten times the memory of its text. */
    default QueuedEvent compact() {
        return this;
    }

    /** The event. */
    RawEvent event();

    /** What happened. */
    WatchEventType type();

    /** The version of the object; empty if it has none. */
    String version();

    /**
     * True if this is an older state, come late or once more, than that of an earlier event. What is listed or deleted
     * is so now, whatever the versions say: they may have started anew.
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
    }
}
