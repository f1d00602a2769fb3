package dev.kopf4j.client.watching;

import dev.kopf4j.client.api.WatchEvent;
import dev.kopf4j.client.error.NotFoundException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Gets what a {@link ListAndWatchLoop} sees. All methods are called one after another in the loop's task; those that
 * may wait slow the stream down, to the point where the server waits too.
 */
public interface ListAndWatchListener {
    /** A list begins, first or anew: what was listed since the last {@link #listComplete} does not count. */
    default void listStarted() throws InterruptedException {}

    /** An object of the list; it belongs to the listener. Objects may come twice. */
    void listed(ObjectNode object) throws InterruptedException;

    /** All objects were listed, also if there are none; what was not among them is gone. */
    void listComplete(String resourceVersion) throws InterruptedException;

    /**
     * Something has happened to an object: {@code ADDED}, {@code MODIFIED} or {@code DELETED}. If this method throws,
     * the event comes again when the loop goes on.
     */
    void event(WatchEvent event) throws InterruptedException;

    /** The server has just given a sign of life: a page, the head of a watch, an event, a bookmark. */
    default void alive() {}

    /**
     * The stream is broken, and being restored; it is well again with the next {@link #alive}. May be told several
     * times.
     *
     * @param reason what has happened, for people
     * @param failure the failure; null if the stream was merely silent. A {@link NotFoundException} while listing means
     *     that the resource is gone
     */
    default void disturbed(String reason, @Nullable Exception failure) {}
}
