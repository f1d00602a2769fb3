package dev.kopf4j.engine.orchestration;

import dev.kopf4j.client.api.UnreadableObject;
import dev.kopf4j.client.api.WatchEvent;
import dev.kopf4j.client.watching.ListAndWatchListener;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * A stream that is heard by somebody who works with its objects, and then by somebody who looks how it is doing.
 *
 * @param worker gets the objects
 * @param doctor is told all but the objects
 */
record WatchedStreamListener(ListAndWatchListener worker, Doctor doctor) implements ListAndWatchListener {
    /** Looks how a stream is doing. */
    interface Doctor {
        /** See {@link ListAndWatchListener#listComplete}. */
        default void listed() {}

        /** See {@link ListAndWatchListener#alive}. */
        default void alive() {}

        /** See {@link ListAndWatchListener#disturbed}. */
        void disturbed(String reason, @Nullable Exception failure);
    }

    @Override
    public void listStarted() throws InterruptedException {
        worker.listStarted();
    }

    @Override
    public boolean watchesWhileListing(String resourceVersion) {
        return worker.watchesWhileListing(resourceVersion);
    }

    @Override
    public void listed(ObjectNode object) throws InterruptedException {
        worker.listed(object);
    }

    @Override
    public void listComplete(String resourceVersion) throws InterruptedException {
        worker.listComplete(resourceVersion);
        doctor.listed();
    }

    @Override
    public void event(WatchEvent event) throws InterruptedException {
        worker.event(event);
    }

    @Override
    public void unreadable(UnreadableObject object) throws InterruptedException {
        worker.unreadable(object);
    }

    @Override
    public void alive() {
        worker.alive();
        doctor.alive();
    }

    @Override
    public void disturbed(String reason, @Nullable Exception failure) {
        worker.disturbed(reason, failure);
        doctor.disturbed(reason, failure);
    }
}
