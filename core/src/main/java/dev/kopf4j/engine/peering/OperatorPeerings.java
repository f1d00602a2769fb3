package dev.kopf4j.engine.peering;

import dev.kopf4j.OperatorSettings;
import dev.kopf4j.Resource;
import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.watching.ListAndWatchLoop;
import dev.kopf4j.engine.pausing.PauseReasons;
import dev.kopf4j.engine.peering.PeeringObject.PeeringPlaces;
import dev.kopf4j.runtime.ConcurrencyLimit;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes part in the peering of the cluster or of each watched namespace, in all API groups that have peering objects.
 * Thread-safe.
 */
public final class OperatorPeerings {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.peering");

    private final OperatorSettings.Peering settings;
    private final PeeringPlaces peeringPlaces;
    private final Platform platform;
    private final KubernetesApi api;
    private final OperatorSettings.Watching watching;
    private final PauseReasons pauseReasons;
    private final PauseReasons.Toggle missing;
    private final @Nullable String group;

    /** One change at a time. Guards everything below. */
    private final ConcurrencyLimit changing;

    private final Map<PeeringObject, PeeringMembership> memberships = new HashMap<>();
    private Peer.@Nullable Self self;

    /** To be released at the end. */
    private volatile @Nullable String taken;

    private boolean hasJoined;
    private boolean ended;

    /**
     * Takes part in no peering yet.
     *
     * @param clusterwide whether the whole cluster is served
     * @param pauseReasons what is told where to pause
     * @param group what all replicas call themselves that share the objects, or of which one leads: they must not pause
     *     for each other, and none of them removes the record of the others; null for an operator without replicas
     */
    public OperatorPeerings(
            Platform platform,
            KubernetesApi api,
            OperatorSettings.Watching watching,
            OperatorSettings.Peering settings,
            boolean clusterwide,
            PauseReasons pauseReasons,
            @Nullable String group) {
        this.settings = settings;
        this.peeringPlaces = new PeeringPlaces(settings, clusterwide);
        this.platform = platform;
        this.api = api;
        this.watching = watching;
        this.pauseReasons = pauseReasons;
        this.missing = pauseReasons.toggle(null);
        this.group = group;
        this.changing = new ConcurrencyLimit(platform, 1);
    }

    /** The API groups of peering objects, which have to be discovered. */
    public Set<String> groups() {
        return peeringPlaces.groups();
    }

    /**
     * Joins the peering objects that are new. Where the peering decides whether to act at all, the operator is paused
     * when this returns, before anything is started there.
     *
     * @param served all resources of the cluster, as far as they are known
     * @param namespaces the namespaces to be served; null among them is the cluster
     */
    public void join(Collection<Resource> served, Set<@Nullable String> namespaces) throws InterruptedException {
        if (settings.standalone()) {
            return;
        }
        changing.acquire(Deadline.NEVER);
        try {
            Set<PeeringObject> places = peeringPlaces.of(served, namespaces);
            places.stream()
                    .filter(peeringObject -> !ended && !memberships.containsKey(peeringObject))
                    .forEach(peeringObject -> memberships.put(peeringObject, joined(peeringObject)));
            hasJoined = true;
            tellIfMissing(served.stream().noneMatch(peeringPlaces::isPeering));
        } finally {
            changing.release();
        }
    }

    private PeeringMembership joined(PeeringObject peeringObject) {
        PauseReasons.Toggle toggle = settings.mandatory() || !hasJoined
                ? pauseReasons.paused(
                        peeringObject.namespace(), "the peering object " + peeringObject + " was not seen yet")
                : pauseReasons.toggle(peeringObject.namespace());
        PeeringMembership membership = new PeeringMembership(platform, api, peeringObject, self(), settings, toggle);
        membership.join(
                new ListAndWatchLoop(platform, api, peeringObject.resource(), peeringObject.namespace(), watching));
        return membership;
    }

    /** All memberships have one record of this operator. */
    private Peer.Self self() {
        if (self == null) {
            String given = settings.identity() == null ? group : settings.identity();
            String identity = given == null ? ownIdentity() : given;
            self = new Peer.Self(identity, settings.priority(), settings.lifetime());
            log.debug("In peerings, this operator is {} with the priority {}.", identity, settings.priority());
        }
        return self;
    }

    private String ownIdentity() {
        String identity = PeerIdentity.ofOperator(System.getenv(), platform.now(), platform.random());
        taken = identity;
        return identity;
    }

    /**
     * Leaves the peering objects of namespaces that are not watched any more, or of resources that are not served any
     * more; true if there was any.
     */
    public boolean leaveOthers(Collection<Resource> served, Set<@Nullable String> namespaces)
            throws InterruptedException {
        changing.acquire(Deadline.NEVER);
        try {
            Set<PeeringObject> places = peeringPlaces.of(served, namespaces);
            List<PeeringObject> others = memberships.keySet().stream()
                    .filter(peeringObject -> !places.contains(peeringObject))
                    .toList();
            others.stream()
                    .filter(peeringObject -> !served.contains(peeringObject.resource()) && !missing.isOn())
                    .forEach(OperatorPeerings::tellOfTheEnd);
            leave(others);
            return !others.isEmpty();
        } finally {
            changing.release();
        }
    }

    /** Nothing else says why an operator acts that was paused until now. */
    private static void tellOfTheEnd(PeeringObject peeringObject) {
        log.warn(
                "The peering {} is left, as the cluster does not serve {} any more: nobody pauses the operator there until"
                        + " they are served again.",
                peeringObject,
                peeringObject.resource());
    }

    /** Leaves everything, for good. */
    public void end() throws InterruptedException {
        try {
            changing.acquire(Deadline.NEVER);
            try {
                ended = true;
                leave(new ArrayList<>(memberships.keySet()));
            } finally {
                changing.release();
            }
        } finally {
            releaseIdentity();
        }
    }

    /** Also if it could not leave. */
    private void releaseIdentity() {
        String identity = taken;
        taken = null;
        if (identity != null) {
            PeerIdentity.release(identity);
        }
    }

    private void leave(List<PeeringObject> places) throws InterruptedException {
        for (PeeringObject peeringObject : places) {
            PeeringMembership left = memberships.remove(peeringObject);
            if (left != null) {
                left.leave(group == null);
            }
        }
    }

    private void tellIfMissing(boolean absent) throws InterruptedException {
        if (absent && settings.mandatory() && !ended) {
            if (!missing.isOn()) {
                log.warn("K4-005: The operator is paused: the peering is mandatory, but its CRD is missing.");
            }
            missing.pause("the peering CRD is missing");
        } else {
            missing.resume();
        }
    }
}
