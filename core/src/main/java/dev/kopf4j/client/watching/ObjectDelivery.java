package dev.kopf4j.client.watching;

import dev.kopf4j.client.api.UnreadableObject;
import dev.kopf4j.client.api.WatchEvent;
import dev.kopf4j.json.JsonConversionException;
import tools.jackson.databind.node.ObjectNode;

/**
 * Tells a listener of objects one by one, so that the stream outlives each of them: one that cannot be read, or that is
 * nested more deeply than the thread's stack allows, is told as unreadable.
 */
record ObjectDelivery(ListAndWatchListener listener) {
    /** An event of an object. */
    void event(WatchEvent event) throws InterruptedException {
        UnreadableObject unreadable = event.unreadable();
        if (unreadable != null) {
            listener.unreadable(unreadable);
            return;
        }
        try {
            listener.event(event);
        } catch (JsonConversionException | StackOverflowError e) {
            listener.unreadable(UnreadableObject.of(event, e));
        }
    }

    /** An event that is a part of a list. */
    void listed(WatchEvent event) throws InterruptedException {
        UnreadableObject unreadable = event.unreadable();
        if (unreadable != null) {
            listener.unreadable(unreadable);
            return;
        }
        ObjectNode object;
        try {
            object = event.object();
        } catch (JsonConversionException e) {
            listener.unreadable(UnreadableObject.of(event, e));
            return;
        }
        listed(object);
    }

    /** An object of a list. */
    void listed(ObjectNode object) throws InterruptedException {
        try {
            listener.listed(object);
        } catch (JsonConversionException | StackOverflowError e) {
            listener.unreadable(UnreadableObject.of(object, e));
        }
    }
}
