package dev.kopf4j.engine.peering;

import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.api.WatchEvent;
import dev.kopf4j.client.error.ForbiddenException;
import dev.kopf4j.client.watching.ListAndWatchListener;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Watches a peering object, and pauses the operator as long as other operators have a higher or the same priority. The
 * stream only notes the newest state; in a task of its own, {@link PeeringPause} draws the consequences, again when the
 * time of a peer is over.
 */
final class PeerObserver implements ListAndWatchListener, Runnable {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.peering");

    private final PeeringObject peeringObject;
    private final boolean mandatory;
    private final PeeringPause peeringPause;
    private final Monitor monitor;

    // Guarded by the monitor.
    private @Nullable ObjectNode newest;
    private boolean known;
    private boolean refused;
    private boolean noted;

    // Confined to the stream.
    private @Nullable ObjectNode listed;

    PeerObserver(
            Platform platform,
            KubernetesApi api,
            PeeringObject peeringObject,
            OwnPeerRecord ownPeerRecord,
            boolean mandatory,
            OperatorPauses.Toggle toggle) {
        this.peeringObject = peeringObject;
        this.mandatory = mandatory;
        this.peeringPause = new PeeringPause(platform, api, peeringObject, ownPeerRecord, mandatory, toggle);
        this.monitor = platform.monitor();
    }

    @Override
    public void listStarted() {
        listed = null;
    }

    @Override
    public void listed(ObjectNode object) {
        if (peeringObject.isMe(object)) {
            listed = object;
        }
    }

    @Override
    public void listComplete(String resourceVersion) {
        monitor.locked(() -> {
            refused = false;
            note(listed);
        });
    }

    @Override
    public void event(WatchEvent event) {
        if (peeringObject.isMe(event.object())) {
            note(event.type() == WatchEvent.Type.DELETED ? null : event.object());
        }
    }

    /** Without permissions there is no peering, and nobody to wait for unless that is wanted. */
    @Override
    public void disturbed(String reason, @Nullable Exception failure) {
        boolean unknown = monitor.locked(() -> !known);
        if (failure instanceof ForbiddenException && unknown) {
            log.warn(
                    "Not enough permissions to watch the peering object {}: {}. {}",
                    peeringObject,
                    mandatory ? "the operator is paused, as the peering is mandatory" : "there is no peering",
                    failure.getMessage());
            monitor.locked(() -> {
                refused = true;
                note(null);
            });
        }
    }

    private void note(@Nullable ObjectNode object) {
        monitor.locked(() -> {
            newest = object;
            known = true;
            noted = true;
        });
    }

    @Override
    public void run() {
        try {
            Deadline again = Deadline.NEVER;
            while (true) {
                monitor.awaitTrue(() -> noted, again);
                ObjectNode object = monitor.locked(() -> {
                    noted = false;
                    return newest;
                });
                again = peeringPause.adjust(object, monitor.locked(() -> refused));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
