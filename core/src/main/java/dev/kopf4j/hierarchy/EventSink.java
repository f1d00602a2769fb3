package dev.kopf4j.hierarchy;

/** Where events of objects are posted. Thread-safe. */
@FunctionalInterface
public interface EventSink {
    /** Drops everything. */
    EventSink NONE = event -> {};

    /** Takes an event to be posted in a while, if the settings let it pass. Never waits, never throws. */
    void post(ObjectEvent event);
}
