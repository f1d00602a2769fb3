package dev.kopf4j;

/** The type of a raw event of the watch, as the server sends it. Objects that were listed have none. */
public enum EventType {
    /** The object has appeared. */
    ADDED,
    /** The object has changed. */
    MODIFIED,
    /** The object is gone. */
    DELETED
}
