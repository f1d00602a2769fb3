package dev.kopf4j.client.api;

import dev.kopf4j.client.error.ClientException;
import tools.jackson.databind.node.ObjectNode;

/** Gets the objects of a list one by one. Called in the task that lists; may take its time. */
@FunctionalInterface
public interface ListListener {
    /** An object, complete with kind and apiVersion; it belongs to the listener. */
    void item(ObjectNode object) throws InterruptedException;

    /** The list begins anew, because its pages have become too old: what came so far does not count. */
    default void restarted() throws InterruptedException {}

    /** A page has come to its end: the server is there. */
    default void pageRead() {}

    /** An attempt has failed, and is made again. */
    default void retrying(ClientException failure) {}
}
