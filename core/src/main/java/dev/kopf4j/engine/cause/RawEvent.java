package dev.kopf4j.engine.cause;

import tools.jackson.databind.node.ObjectNode;

/**
 * One notice of one object. Immutable, as long as nobody changes the tree.
 *
 * @param type how it was noticed
 * @param body the object
 * @param synthetic true if the server has not sent it: the object was missing in a list, and is concluded to be gone
 */
public record RawEvent(WatchEventType type, ObjectNode body, boolean synthetic) {
    /** A notice sent by the server. */
    public static RawEvent of(WatchEventType type, ObjectNode body) {
        return new RawEvent(type, body, false);
    }

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
}
