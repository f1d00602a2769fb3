package dev.kopf4j.client.watching;

import dev.kopf4j.client.api.ListListener;
import dev.kopf4j.client.api.UnreadableObject;
import dev.kopf4j.client.error.ClientException;
import tools.jackson.databind.node.ObjectNode;

/** Passes a list on to the listener of the loop. Confined to the loop's task. */
record ListForwarding(ListAndWatchListener listener, WatchFailureReport failures, EarlyWatch early)
        implements ListListener {
    @Override
    public void item(ObjectNode object) throws InterruptedException {
        new ObjectDelivery(listener).listed(object);
    }

    @Override
    public void unreadable(UnreadableObject object) throws InterruptedException {
        listener.unreadable(object);
    }

    @Override
    public void restarted() throws InterruptedException {
        listener.listStarted();
    }

    @Override
    public void pageRead() {
        failures.alive();
    }

    @Override
    public void moreFollows(String resourceVersion) {
        if (listener.watchesWhileListing(resourceVersion)) {
            early.begin(resourceVersion);
        }
    }

    @Override
    public void retrying(ClientException failure) {
        failures.retrying(failure);
    }
}
