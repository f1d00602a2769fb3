package dev.kopf4j.engine.leaderelection;

import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.api.WellKnownResources;
import dev.kopf4j.client.error.NotFoundException;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes the lease; writing fails with a conflict if it has changed meanwhile.
 *
 * @param api makes the requests, without retries, as time is short
 * @param namespace where it is
 * @param name which it is
 */
record LeaseStore(KubernetesApi api, String namespace, String name) {
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
