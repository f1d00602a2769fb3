package dev.kopf4j.engine.cause;

/** How an object has come to the operator's notice. */
public enum WatchEventType {
    /** It was in a list; has no type on the wire. */
    LISTED,
    /** It has appeared. */
    ADDED,
    /** It has changed. */
    MODIFIED,
    /** It is gone. */
    DELETED
}
