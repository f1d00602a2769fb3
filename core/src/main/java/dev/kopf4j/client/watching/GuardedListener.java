package dev.kopf4j.client.watching;

import dev.kopf4j.client.api.UnreadableObject;
import dev.kopf4j.client.api.WatchEvent;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Passes everything on to another listener, and knows what that has thrown. */
final class GuardedListener implements ListAndWatchListener {
    private final ListAndWatchListener others;
    private volatile @Nullable RuntimeException thrown;

    GuardedListener(ListAndWatchListener others) {
        this.others = others;
    }

    /** True if the exception is the listener's. */
    boolean hasThrown(RuntimeException exception) {
        return exception.equals(thrown);
    }

    private RuntimeException noted(RuntimeException exception) {
        thrown = exception;
        return exception;
    }

    @Override
    public void listStarted() throws InterruptedException {
        try {
            others.listStarted();
        } catch (RuntimeException e) {
            throw noted(e);
        }
    }

    @Override
    public boolean watchesWhileListing(String resourceVersion) {
        try {
            return others.watchesWhileListing(resourceVersion);
        } catch (RuntimeException e) {
            throw noted(e);
        }
    }

    @Override
    public void listed(ObjectNode object) throws InterruptedException {
        try {
            others.listed(object);
        } catch (RuntimeException e) {
            throw noted(e);
        }
    }

    @Override
    public void listComplete(String resourceVersion) throws InterruptedException {
        try {
            others.listComplete(resourceVersion);
        } catch (RuntimeException e) {
            throw noted(e);
        }
    }

    @Override
    public void event(WatchEvent event) throws InterruptedException {
        try {
            others.event(event);
        } catch (RuntimeException e) {
            throw noted(e);
        }
    }

    @Override
    public void unreadable(UnreadableObject object) throws InterruptedException {
        try {
            others.unreadable(object);
        } catch (RuntimeException e) {
            throw noted(e);
        }
    }

    @Override
    public void alive() {
        try {
            others.alive();
        } catch (RuntimeException e) {
            throw noted(e);
        }
    }

    @Override
    public void disturbed(String reason, @Nullable Exception failure) {
        try {
            others.disturbed(reason, failure);
        } catch (RuntimeException e) {
            throw noted(e);
        }
    }
}
