package dev.kopf4j.engine.leaderelection;

import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.api.WellKnownResources;
import dev.kopf4j.client.error.ApiException.NotFoundException;
import dev.kopf4j.json.Json;
import dev.kopf4j.text.KubernetesTimestamps;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The lease as it is stored; fields are those of Kubernetes' own components. Immutable.
 *
 * @param object the whole object, of which only our fields are changed
 */
record Lease(ObjectNode object) {
    /** A lease that nobody has held. */
    static Lease unheard(String namespace, String name) {
        ObjectNode object =
                Json.object().put("apiVersion", "coordination.k8s.io/v1").put("kind", "Lease");
        object.putObject("metadata").put("name", name).put("namespace", namespace);
        object.putObject("spec");
        return new Lease(object);
    }

    /** Who holds it; empty if nobody does. */
    String holder() {
        return object.path("spec").path("holderIdentity").asString("");
    }

    String version() {
        return object.path("metadata").path("resourceVersion").asString("");
    }

    /** How long its holder is entitled to it after each renewal. */
    Duration duration() {
        return Duration.ofSeconds(
                object.path("spec").path("leaseDurationSeconds").asLong(0));
    }

    /** The same lease in the hands of this holder, from now on or as before. */
    Lease heldBy(String identity, Duration duration, Instant now) {
        ObjectNode changed = object.deepCopy();
        ObjectNode spec = changed.withObject("/spec");
        if (!holder().equals(identity)) {
            spec.put("acquireTime", KubernetesTimestamps.format(now));
            spec.put("leaseTransitions", spec.path("leaseTransitions").asInt(0) + (holder().isEmpty() ? 0 : 1));
        }
        spec.put("holderIdentity", identity);
        spec.put("leaseDurationSeconds", duration.toSeconds());
        spec.put("renewTime", KubernetesTimestamps.format(now));
        return new Lease(changed);
    }

    /** The same lease in nobody's hands. */
    Lease released(Instant now) {
        ObjectNode changed = object.deepCopy();
        ObjectNode spec = changed.withObject("/spec");
        spec.put("holderIdentity", "");
        spec.put("leaseDurationSeconds", 1);
        spec.put("renewTime", KubernetesTimestamps.format(now));
        return new Lease(changed);
    }

    /**
     * Reads and writes the lease; writing fails with a conflict if it has changed meanwhile.
     *
     * @param api makes the requests, without retries, as time is short
     * @param namespace where it is
     * @param name which it is
     */
    record Store(KubernetesApi api, String namespace, String name) {
        /** The lease; null if there is none. */
        @Nullable Lease read() throws InterruptedException {
            try {
                return new Lease(api.get(WellKnownResources.LEASES, namespace, name));
            } catch (NotFoundException e) {
                return null;
            }
        }

        /** Writes it, and answers it as it is stored. */
        Lease write(Lease lease) throws InterruptedException {
            return new Lease(
                    lease.version().isEmpty()
                            ? api.create(WellKnownResources.LEASES, namespace, lease.object())
                            : api.replace(WellKnownResources.LEASES, namespace, name, lease.object()));
        }

        /** {@code 'ns/name'}. */
        @Override
        public String toString() {
            return "'" + namespace + "/" + name + "'";
        }
    }
}
