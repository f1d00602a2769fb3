package dev.kopf4j.engine.peering;

import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.error.ClientException;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Pauses the operator as long as other operators of a peering have a higher or the same priority, and logs that.
 * Confined to one task.
 */
final class PeeringPause {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.peering");

    private final Platform platform;
    private final KubernetesApi api;
    private final PeeringObject peeringObject;
    private final OwnPeerRecord ownPeerRecord;
    private final boolean mandatory;
    private final OperatorPauses.Toggle toggle;
    private boolean conflicting;
    private boolean absent;

    PeeringPause(
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
    }

    /**
     * Pauses or resumes the operator, as the peering object wants it.
     *
     * @param object its newest state; null if there is none
     * @param refused true if this operator must not look at it
     * @return when to look again
     */
    Deadline adjust(@Nullable ObjectNode object, boolean refused) throws InterruptedException {
        if (object == null && mandatory) {
            tellOfAbsence(refused);
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

    private void tellOfAbsence(boolean refused) {
        if (!absent && !refused) {
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
