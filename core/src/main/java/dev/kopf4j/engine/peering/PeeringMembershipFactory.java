package dev.kopf4j.engine.peering;

import dev.kopf4j.OperatorSettings;
import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.watching.ListAndWatchLoop;
import dev.kopf4j.client.watching.WatchingSettings;
import dev.kopf4j.runtime.Platform;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Joins peering objects, and makes the memberships of it, all with one record of this operator. Guarded by the lock of
 * the peerings.
 */
final class PeeringMembershipFactory {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.peering");

    private final Platform platform;
    private final KubernetesApi api;
    private final WatchingSettings watching;
    private final OperatorSettings.Peering settings;
    private final OperatorPauses operatorPauses;
    private @Nullable OwnPeerRecord ownPeerRecord;

    PeeringMembershipFactory(
            Platform platform,
            KubernetesApi api,
            WatchingSettings watching,
            OperatorSettings.Peering settings,
            OperatorPauses operatorPauses) {
        this.platform = platform;
        this.api = api;
        this.watching = watching;
        this.settings = settings;
        this.operatorPauses = operatorPauses;
    }

    /**
     * Joins a peering object. If the peering decides whether to act at all, the operator is paused when this returns.
     *
     * @param acting true if the operator acts already
     */
    PeeringMembership join(PeeringObject peeringObject, boolean acting) {
        OperatorPauses.Toggle toggle = settings.mandatory() || !acting
                ? operatorPauses.paused(
                        peeringObject.namespace(), "the peering object " + peeringObject + " was not seen yet")
                : operatorPauses.toggle(peeringObject.namespace());
        PeerObserver observer =
                new PeerObserver(platform, api, peeringObject, ownPeerRecord(), settings.mandatory(), toggle);
        ListAndWatchLoop loop =
                new ListAndWatchLoop(platform, api, peeringObject.resource(), peeringObject.namespace(), watching);
        return PeeringMembership.join(
                platform, api, loop, peeringObject, ownPeerRecord(), observer, toggle, settings.stealth());
    }

    private OwnPeerRecord ownPeerRecord() {
        if (ownPeerRecord == null) {
            String given = settings.identity();
            String identity =
                    given == null ? PeerIdentity.ofOperator(System.getenv(), platform.now(), platform.random()) : given;
            ownPeerRecord = new OwnPeerRecord(identity, settings.priority(), settings.lifetime());
            log.debug("In peerings, this operator is {} with the priority {}.", identity, settings.priority());
        }
        return ownPeerRecord;
    }
}
