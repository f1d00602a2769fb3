package dev.kopf4j.engine.processing;

import dev.kopf4j.engine.cause.RawEvent;
import dev.kopf4j.engine.cause.WatchEventType;
import tools.jackson.databind.node.ObjectNode;

/** Why an object is looked at. Immutable. */
public sealed interface CycleTrigger {
    /** Its state. */
    ObjectNode body();

    /** True if there are newer events already: the state is outdated for change handlers. */
    boolean outdated();

    /** True if the object does not exist any more. */
    default boolean isGone() {
        return this instanceof Event(var event, var _, var _) && event.type() == WatchEventType.DELETED;
    }

    /**
     * An event.
     *
     * @param event the event
     * @param outdated true if it is not the newest one
     * @param indexed true if the indices have seen it already
     */
    record Event(RawEvent event, boolean outdated, boolean indexed) implements CycleTrigger {
        @Override
        public ObjectNode body() {
            return event.body();
        }
    }

    /**
     * An event that only index functions may see yet: the gate is closed for all other handlers.
     *
     * @param queued the event as it waits for its time
     * @param event the event
     */
    record IndexOnly(QueuedEvent queued, RawEvent event) implements CycleTrigger {
        @Override
        public ObjectNode body() {
            return event.body();
        }

        @Override
        public boolean outdated() {
            return true;
        }
    }

    /**
     * A moment that was waited for.
     *
     * @param body the newest state known
     */
    record WakeUp(ObjectNode body) implements CycleTrigger {
        @Override
        public boolean outdated() {
            return false;
        }
    }
}
