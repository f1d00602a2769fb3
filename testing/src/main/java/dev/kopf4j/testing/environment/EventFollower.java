package dev.kopf4j.testing.environment;

import dev.kopf4j.testing.recording.Recording;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Follows the Kubernetes events of a namespace. Thread-safe. */
final class EventFollower implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.testing");

    private final KubernetesClient client;
    private final Recording recording;
    private @Nullable Watch watch;

    EventFollower(KubernetesClient client, Recording recording) {
        this.client = client;
        this.recording = recording;
    }

    /** Begins to follow; a second call does nothing. */
    synchronized void follow(String namespace) {
        if (watch == null) {
            Listener listener = new Listener();
            watch = client.v1().events().inNamespace(namespace).watch(listener);
        }
    }

    private final class Listener implements Watcher<Event> {
        @Override
        public void eventReceived(Action action, Event event) {
            if (action == Action.ADDED || action == Action.MODIFIED) {
                recording.posted(event);
            }
        }

        @Override
        public void onClose(WatcherException cause) {
            log.debug("The Kubernetes events are not followed any more.", cause);
        }
    }

    @Override
    public synchronized void close() {
        if (watch != null) {
            watch.close();
        }
    }
}
