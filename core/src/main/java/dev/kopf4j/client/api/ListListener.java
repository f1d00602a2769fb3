package dev.kopf4j.client.api;

import dev.kopf4j.client.error.ClientException;
import tools.jackson.databind.node.ObjectNode;

/** Receives the objects of a list one by one, in the task that lists. It may take long. */
@FunctionalInterface
public interface ListListener {
    /** An object, complete with kind and apiVersion; it belongs to the listener. The same one may come twice. */
    void item(ObjectNode object) throws InterruptedException;

    /** An object of the list that cannot be read; the list goes on. */
    default void unreadable(UnreadableObject object) throws InterruptedException {}

    /** The list begins again because its continue token has expired. What came so far is void. */
    default void restarted() throws InterruptedException {}

    /** A page was read to its end, so the server is alive. */
    default void pageRead() {}

    /** The first page was read to its end, and more follow: a watch may begin at that version now. */
    default void moreFollows(String resourceVersion) {}

    /** An attempt failed; another one follows after a delay. */
    default void retrying(ClientException failure) {}
}
