package dev.kopf4j.engine.cycle;

import dev.kopf4j.engine.cause.RawEvent;
import dev.kopf4j.engine.cause.RawEvent.WatchEventType;
import tools.jackson.databind.node.ObjectNode;

/** Why a cycle runs. Immutable. */
public sealed interface CycleTrigger {
    /** The state of the object. */
    ObjectNode body();

    /** True if newer events wait already: the state is outdated for change handlers. */
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
     * @param indexed true if index functions have seen it already
     */
    record Event(RawEvent event, boolean outdated, boolean indexed) implements CycleTrigger {
        @Override
        public ObjectNode body() {
            return event.body();
        }
    }

    /**
     * A moment has come for which the object has waited.
     *
     * @param body the newest known state
     */
    record WakeUp(ObjectNode body) implements CycleTrigger {
        @Override
        public boolean outdated() {
            return false;
        }
    }
}
