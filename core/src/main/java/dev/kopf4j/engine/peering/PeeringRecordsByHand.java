package dev.kopf4j.engine.peering;

import dev.kopf4j.Resource;
import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.api.KubernetesApi.ListListener;
import dev.kopf4j.client.api.Narrowing;
import dev.kopf4j.client.error.ApiException.ForbiddenException;
import dev.kopf4j.client.error.ApiException.NotFoundException;
import dev.kopf4j.engine.peering.PeeringObject.PeeringPlaces;
import dev.kopf4j.runtime.Platform;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Writes records into peering objects on behalf of a person. Thread-safe.
 *
 * @param platform the clock
 * @param api the way to the objects
 * @param name the name of the peering
 */
public record PeeringRecordsByHand(Platform platform, KubernetesApi api, String name) {
    private static final int PAGE = 500;
    private static final Logger log = LoggerFactory.getLogger("kopf4j.peering");

    /**
     * What removing a record has come to.
     *
     * @param place the peering object
     * @param found false if there was no such record
     * @param others the records that still live; they may be those of running operators
     */
    public record Removal(String place, boolean found, List<Living> others) {
        /** Copies the list. */
        public Removal {
            others = List.copyOf(others);
        }
    }

    /**
     * A record that lives.
     *
     * @param identity whose it is
     * @param priority operators of lower ones make way
     * @param left for how long, without a new sign of life
     */
    public record Living(String identity, long priority, Duration left) {}

    /**
     * Removes the record from all objects of this name.
     *
     * @param namespaces where; empty for the whole cluster
     * @return the objects that exist
     */
    public List<Removal> remove(Collection<String> namespaces, String identity) throws InterruptedException {
        ObjectNode patch = new Peer.Self(identity, 0, Duration.ZERO).gone();
        List<Removal> removals = new ArrayList<>();
        for (PeeringObject place : places(namespaces)) {
            try {
                Removal removal = look(place, identity);
                if (removal != null) {
                    if (removal.found()) {
                        change(place, patch);
                    }
                    removals.add(removal);
                }
            } catch (NotFoundException e) {
                log.debug("There is no peering object {}.", place);
            }
        }
        return removals;
    }

    /** Null if there is no such object. Read by the right to list, as operators do; without it nothing is known. */
    private @Nullable Removal look(PeeringObject place, String identity) throws InterruptedException {
        List<Removal> found = new ArrayList<>();
        ListListener listener = object -> {
            if (place.isMe(object)) {
                found.add(removal(place, identity, object.path("status")));
            }
        };
        try {
            var _ = api.unlessForbidden(
                    each -> each.list(place.resource(), place.namespace(), Narrowing.named(name), PAGE, listener));
        } catch (ForbiddenException e) {
            return new Removal(place.toString(), true, List.of());
        }
        return found.isEmpty() ? null : found.getFirst();
    }

    private Removal removal(PeeringObject place, String identity, JsonNode status) {
        Instant now = platform.now();
        List<Living> others = status.propertyStream()
                .filter(each ->
                        !each.getKey().equals(identity) && each.getValue().isObject())
                .map(each -> Peer.of(each.getKey(), each.getValue(), now))
                .filter(peer -> !peer.isDead(now))
                .map(peer -> new Living(peer.identity(), peer.priority(), Duration.between(now, peer.deadline())))
                .toList();
        return new Removal(place.toString(), status.path(identity).isObject(), others);
    }

    /**
     * Writes a record into all objects of this name.
     *
     * @param namespaces where; empty for the whole cluster
     * @return the objects that were written
     */
    public List<String> write(Collection<String> namespaces, String identity, long priority, Duration lifetime)
            throws InterruptedException {
        Peer.Self record = new Peer.Self(identity, priority, lifetime);
        List<String> written = new ArrayList<>();
        for (PeeringObject peeringObject : places(namespaces)) {
            try {
                change(peeringObject, record.alive(platform.now()));
                written.add(peeringObject.toString());
            } catch (NotFoundException e) {
                // Of several API groups only one may have the object; the caller is told where it is.
                log.debug("There is no peering object {}.", peeringObject);
            }
        }
        return written;
    }

    /** A person is told at once of a right that is missing. */
    private void change(PeeringObject place, ObjectNode patch) throws InterruptedException {
        var _ = api.unlessForbidden(each -> {
            place.patch(each, patch);
            return place;
        });
    }

    private List<PeeringObject> places(Collection<String> namespaces) throws InterruptedException {
        List<Resource> served = api.apiDiscovery().resources(PeeringPlaces.GROUPS);
        List<PeeringObject> places = new ArrayList<>();
        for (Resource resource : served) {
            if (PeeringPlaces.isPeering(resource, namespaces.isEmpty())) {
                scopes(namespaces).forEach(namespace -> places.add(new PeeringObject(resource, namespace, name)));
            }
        }
        return places;
    }

    private static Collection<@Nullable String> scopes(Collection<String> namespaces) {
        List<@Nullable String> scopes = new ArrayList<>(namespaces);
        if (scopes.isEmpty()) {
            scopes.add(null);
        }
        return scopes;
    }
}
