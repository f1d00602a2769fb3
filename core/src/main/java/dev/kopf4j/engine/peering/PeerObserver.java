package dev.kopf4j.engine.peering;

import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.api.WatchEvent;
import dev.kopf4j.client.error.ClientException;
import dev.kopf4j.client.error.ForbiddenException;
import dev.kopf4j.client.watching.ListAndWatchListener;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Watches a peering object, and pauses the operator as long as others are in the way. The stream only notes the newest
 * state; a task of its own judges it, again when the time of a peer is over.
 */
final class PeerObserver implements ListAndWatchListener, Runnable {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.peering");

    private final Platform platform;
    private final KubernetesApi api;
    private final PeeringObject peeringObject;
    private final OwnPeerRecord ownPeerRecord;
    private final boolean mandatory;
    private final OperatorPauses.Toggle toggle;
    private final Monitor monitor;

    // Guarded by the monitor.
    private @Nullable ObjectNode newest;
    private boolean known;
    private boolean refused;
    private boolean noted;

    // Confined to the stream.
    private @Nullable ObjectNode listed;

    // Confined to the judging task.
    private boolean conflicting;

    private boolean absent;

    PeerObserver(
            Platform platform,
            KubernetesApi api,
            PeeringObject peeringObject,
            OwnPeerRecord ownPeerRecord,
            boolean mandatory,
            OperatorPauses.Toggle toggle) {
        this.platform = platform;
        this.api = api;
        this.peeringObject = peeringObject;
        this.ownPeerRecord = ownPeerRecord;
        this.mandatory = mandatory;
        this.toggle = toggle;
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
                again = judge(monitor.locked(() -> {
                    noted = false;
                    return newest;
                }));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Deadline judge(@Nullable ObjectNode object) throws InterruptedException {
        if (object == null && mandatory) {
            tellOfAbsence();
            toggle.pause("the peering object " + peeringObject + " does not exist");
            return Deadline.NEVER;
        }
        if (absent && object != null) {
            absent = false;
            log.info("The peering object {} exists now.", peeringObject);
        }
        PeerConflicts peerConflicts = object == null
                ? PeerConflicts.NONE
                : PeerConflicts.of(object, ownPeerRecord.identity(), ownPeerRecord.priority(), platform.now());
        clean(peerConflicts);
        obey(peerConflicts);
        return peerConflicts
                .nextDeadline()
                .map(moment -> platform.after(Duration.between(platform.now(), moment)))
                .orElse(Deadline.NEVER);
    }

    private void tellOfAbsence() {
        if (!absent && !monitor.locked(() -> refused)) {
            absent = true;
            log.warn(
                    "The operator is paused: the peering is mandatory, but the peering object {} does not exist. Create it"
                            + " (deploy/peering.yaml has one), or run the operator with --standalone, or with another"
                            + " --peering.",
                    peeringObject);
        }
    }

    private void obey(PeerConflicts peerConflicts) throws InterruptedException {
        if (!peerConflicts.higher().isEmpty()) {
            if (!conflicting) {
                log.info("Pausing operations in favour of {}.", peerConflicts.higher());
            }
            conflict("operators with a higher priority: " + peerConflicts.higher());
        } else if (!peerConflicts.same().isEmpty()) {
            log.warn("Possibly conflicting operators with the same priority: {}.", peerConflicts.same());
            if (!conflicting) {
                log.warn("Pausing all operators, including self: {}", peerConflicts.same());
            }
            conflict("operators with the same priority: " + peerConflicts.same());
        } else {
            if (conflicting) {
                log.info("Resuming operations after the pause. Conflicting operators with the same priority are gone.");
            }
            conflicting = false;
            toggle.resume();
        }
    }

    private void conflict(String reason) throws InterruptedException {
        conflicting = true;
        toggle.pause(reason);
    }

    private void clean(PeerConflicts peerConflicts) throws InterruptedException {
        if (peerConflicts.dead().isEmpty()) {
            return;
        }
        try {
            peeringObject.patch(api, peerConflicts.cleaning());
        } catch (ClientException e) {
            log.debug("Dead peers could not be removed from {}: {}", peeringObject, e.getMessage());
        }
    }
}
