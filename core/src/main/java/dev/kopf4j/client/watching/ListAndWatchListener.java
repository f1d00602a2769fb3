package dev.kopf4j.client.watching;

import dev.kopf4j.client.api.UnreadableObject;
import dev.kopf4j.client.api.WatchEvent;
import dev.kopf4j.client.error.ApiException.NotFoundException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Receives what a {@link ListAndWatchLoop} sees. The loop calls all methods in its own task, one after another; but see
 * {@link #watchesWhileListing}. A method that waits slows the stream down, until the server has to wait too.
 */
public interface ListAndWatchListener {
    /** A list begins, for the first time or again. What was listed since the last {@link #listComplete} is void. */
    default void listStarted() throws InterruptedException {}

    /**
     * Asked after the first page of a long list: true if the listener wants to hear of changes before it has taken all
     * pages. From then on until {@link #listComplete}, {@link #event}, {@link #alive} and {@link #disturbed} may be
     * called in another task, and the list may still tell of states from before an event.
     *
     * @param resourceVersion the version of the list; changes after it are told
     */
    default boolean watchesWhileListing(String resourceVersion) {
        return false;
    }

    /** An object of the list; it belongs to the listener. The same object may come twice. */
    void listed(ObjectNode object) throws InterruptedException;

    /** The list is complete, even if it is empty. Objects that were not in it do not exist any more. */
    void listComplete(String resourceVersion) throws InterruptedException;

    /**
     * An object was added, modified or deleted. If this method throws, the loop ends; when it runs again, the event
     * comes again.
     */
    void event(WatchEvent event) throws InterruptedException;

    /**
     * An object of a list or of a watch cannot be read: it exists, unless it is said to be deleted, and nothing else
     * can be told of it. All others go on.
     */
    default void unreadable(UnreadableObject object) throws InterruptedException {}

    /** The server has given a sign of life: a page, the head of a watch, an event, a bookmark. */
    default void alive() {}

    /**
     * The stream is broken, and the loop restores it; with the next {@link #alive} it works again. May be called
     * several times.
     *
     * @param reason what has happened, for people
     * @param failure the failure; null if the stream was merely silent. A {@link NotFoundException} while listing means
     *     that the resource does not exist any more
     */
    default void disturbed(String reason, @Nullable Exception failure) {}
}
