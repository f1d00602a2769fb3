package dev.kopf4j.engine.reactor;

import dev.kopf4j.engine.cause.EventType;
import dev.kopf4j.engine.cause.RawEvent;
import dev.kopf4j.json.Json;

/** An event that waits for its processing. Immutable. */
sealed interface QueuedEvent {
    /** For an event that a worker is about to take. */
    static QueuedEvent parsed(RawEvent event) {
        return new Parsed(event);
    }

    /** For an event that may wait for a while among many: a tree takes some ten times the memory of its text. */
    static QueuedEvent compact(RawEvent event) {
        return new Compact(event.type(), Json.bytes(event.body()), event.synthetic());
    }

    /** The event. */
    RawEvent event();

    /** As it came. */
    record Parsed(RawEvent event) implements QueuedEvent {}

    /** With its object as JSON. */
    @SuppressWarnings("ArrayRecordComponent") // private to the queue
    record Compact(EventType type, byte[] body, boolean synthetic) implements QueuedEvent {
        @Override
        public RawEvent event() {
            return new RawEvent(type, Json.parseObject(body), synthetic);
        }
    }
}
