package dev.kopf4j.engine.reactor;

import dev.kopf4j.engine.cause.EventType;
import dev.kopf4j.engine.cause.RawEvent;
import tools.jackson.databind.node.ObjectNode;

/** Why an object is looked at. Immutable. */
sealed interface Trigger {
    /** Its state. */
    ObjectNode body();

    /** True if there are newer events already: the state is outdated for change handlers. */
    boolean outdated();

    /** True if the object does not exist any more. */
    default boolean isGone() {
        return this instanceof Event(var event, var _) && event.type() == EventType.DELETED;
    }

    /**
     * An event.
     *
     * @param event the event
     * @param outdated true if it is not the newest one
     */
    record Event(RawEvent event, boolean outdated) implements Trigger {
        @Override
        public ObjectNode body() {
            return event.body();
        }
    }

    /**
     * A moment that was waited for.
     *
     * @param body the newest state known
     */
    record Moment(ObjectNode body) implements Trigger {
        @Override
        public boolean outdated() {
            return false;
        }
    }
}
