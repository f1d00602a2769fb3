package dev.kopf4j.engine.peering;

import dev.kopf4j.Resource;
import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.error.ApiException.NotFoundException;
import dev.kopf4j.runtime.Platform;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes records into peering objects on behalf of a person. Thread-safe.
 *
 * @param platform the clock
 * @param api the way to the objects
 * @param name the name of the peering
 */
public record PeeringRecordWriter(Platform platform, KubernetesApi api, String name) {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.peering");

    /**
     * Writes a record into all objects of this name; a lifetime of zero removes it.
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
                peeringObject.patch(api, lifetime.isZero() ? record.gone() : record.alive(platform.now()));
                written.add(peeringObject.toString());
            } catch (NotFoundException e) {
                // Of several API groups only one may have the object; the caller is told where it is.
                log.debug("There is no peering object {}.", peeringObject);
            }
        }
        return written;
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
