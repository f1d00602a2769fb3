package dev.kopf4j.engine.peering;

import dev.kopf4j.OperatorSettings;
import dev.kopf4j.Resource;
import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.stream.WatchLoop;
import dev.kopf4j.client.stream.WatchingSettings;
import dev.kopf4j.engine.pausing.Pauses;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Limit;
import dev.kopf4j.runtime.Platform;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes part in the peering of the cluster, or of each namespace that is served, in all API groups that have it.
 * Thread-safe.
 */
public final class Peerings {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.peering");
    static final Set<String> GROUPS = Set.of("kopf.dev", "zalando.org");

    private final Platform platform;
    private final KubernetesApi api;
    private final WatchingSettings watching;
    private final OperatorSettings.Peering settings;
    private final boolean clusterwide;
    private final Pauses pauses;
    private final Pauses.Toggle missing;

    /** One change at a time. Guards everything below. */
    private final Limit changing;

    private final Map<Place, Membership> memberships = new HashMap<>();
    private @Nullable Self self;
    private boolean acting;
    private boolean ended;

    /**
     * No part yet.
     *
     * @param clusterwide whether the whole cluster is served
     * @param pauses what is told where to pause
     */
    public Peerings(
            Platform platform,
            KubernetesApi api,
            WatchingSettings watching,
            OperatorSettings.Peering settings,
            boolean clusterwide,
            Pauses pauses) {
        this.platform = platform;
        this.api = api;
        this.watching = watching;
        this.settings = settings;
        this.clusterwide = clusterwide;
        this.pauses = pauses;
        this.missing = pauses.toggle(null);
        this.changing = new Limit(platform, 1);
    }

    /** The API groups that have to be known for it. */
    public Set<String> groups() {
        return settings.standalone() ? Set.of() : GROUPS;
    }

    /** True if it is done by objects of this resource. */
    private boolean isPeering(Resource resource) {
        return isPeering(resource, clusterwide);
    }

    static boolean isPeering(Resource resource, boolean clusterwide) {
        String plural = clusterwide ? "clusterkopfpeerings" : "kopfpeerings";
        return GROUPS.contains(resource.group())
                && resource.version().equals("v1")
                && resource.plural().equals(plural);
    }

    /**
     * Joins what is new. Where the peering decides whether to act at all, that is paused when this returns: before
     * anything is started there.
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
            Set<Place> places = places(served, namespaces);
            places.stream()
                    .filter(place -> !ended && !memberships.containsKey(place))
                    .forEach(place -> memberships.put(place, joined(place)));
            acting = true;
            tellIfMissing(served.stream().noneMatch(this::isPeering));
        } finally {
            changing.release();
        }
    }

    /** Leaves what is not served any more; true if there was anything to leave. */
    public boolean leaveOthers(Collection<Resource> served, Set<@Nullable String> namespaces)
            throws InterruptedException {
        changing.acquire(Deadline.NEVER);
        try {
            Set<Place> places = places(served, namespaces);
            List<Place> others = memberships.keySet().stream()
                    .filter(place -> !places.contains(place))
                    .toList();
            leave(others);
            return !others.isEmpty();
        } finally {
            changing.release();
        }
    }

    /** Leaves everything, for good. */
    public void end() throws InterruptedException {
        changing.acquire(Deadline.NEVER);
        try {
            ended = true;
            leave(new ArrayList<>(memberships.keySet()));
        } finally {
            changing.release();
        }
    }

    private void leave(List<Place> places) throws InterruptedException {
        for (Place place : places) {
            Membership left = memberships.remove(place);
            if (left != null) {
                left.leave();
            }
        }
    }

    private Set<Place> places(Collection<Resource> served, Set<@Nullable String> namespaces) {
        Set<Place> places = new HashSet<>();
        for (Resource resource : served.stream().filter(this::isPeering).toList()) {
            namespaces.forEach(namespace -> places.add(new Place(resource, namespace, settings.name())));
        }
        return places;
    }

    private Membership joined(Place place) {
        Pauses.Toggle toggle = settings.mandatory() || !acting
                ? pauses.paused(place.namespace(), "the peering object " + place + " was not seen yet")
                : pauses.toggle(place.namespace());
        PeerObserver observer = new PeerObserver(platform, api, place, self(), settings.mandatory(), toggle);
        WatchLoop loop = new WatchLoop(platform, api, place.resource(), place.namespace(), watching);
        return Membership.join(platform, api, loop, place, self(), observer, toggle, settings.stealth());
    }

    private Self self() {
        if (self == null) {
            String given = settings.identity();
            String identity =
                    given == null ? Identity.ofOperator(System.getenv(), platform.now(), platform.random()) : given;
            self = new Self(identity, settings.priority(), settings.lifetime());
            log.debug("In peerings, this operator is {} with the priority {}.", identity, settings.priority());
        }
        return self;
    }

    private void tellIfMissing(boolean absent) throws InterruptedException {
        if (absent && settings.mandatory() && !ended) {
            if (!missing.isOn()) {
                log.warn("The operator is paused: the peering is mandatory, but its CRD is missing.");
            }
            missing.pause("the peering CRD is missing");
        } else {
            missing.resume();
        }
    }
}
