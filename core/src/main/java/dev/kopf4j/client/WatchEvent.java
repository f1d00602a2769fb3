package dev.kopf4j.client;

import tools.jackson.databind.node.ObjectNode;

/**
 * One line of a watch.
 *
 * @param type what has happened
 * @param rawType the same as the server wrote it
 * @param object the object after it; for {@code ERROR}, a {@code Status}; belongs to the receiver
 */
public record WatchEvent(Type type, String rawType, ObjectNode object) {
    /** What has happened. */
    public enum Type {
        /** The object has come into sight. */
        ADDED,
        /** The object has changed. */
        MODIFIED,
        /** The object is gone; this was its last state. */
        DELETED,
        /** Nothing has happened up to the version that the object carries. */
        BOOKMARK,
        /** The stream has failed. */
        ERROR,
        /** Something that this client does not know. */
        UNKNOWN;

        static Type of(String rawType) {
            return switch (rawType) {
                case "ADDED" -> ADDED;
                case "MODIFIED" -> MODIFIED;
                case "DELETED" -> DELETED;
                case "BOOKMARK" -> BOOKMARK;
                case "ERROR" -> ERROR;
                default -> UNKNOWN;
            };
        }
    }

    /** The version of the object; empty if it has none. */
    public String resourceVersion() {
        return object.path("metadata").path("resourceVersion").asString("");
    }

    /** For {@code ERROR}: the status code; 0 if there is none. */
    public int errorCode() {
        return object.path("code").asInt(0);
    }
}
