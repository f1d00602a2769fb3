package dev.kopf4j.devcluster.webhook;

import java.io.IOException;
import java.net.URI;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Chooses an endpoint of a service as the API server does: the first ready one, from one at random on. Nobody else is
 * asked if it does not answer ({@code RandomEndpoint} in {@code pkg/util/proxy} of the apiserver library, v1.33;
 * {@code kube-proxy} does the same). Thread-safe.
 */
public final class ServiceEndpoints implements ServiceResolver {
    private final Map<String, List<Endpoint>> endpoints;
    private final RandomGenerator random;
    private final EndpointReadiness readiness;

    /**
     * An endpoint on this machine.
     *
     * @param port its HTTPS port
     * @param readiness the URL that tells whether it is ready; empty if it always is
     */
    public record Endpoint(int port, Optional<URI> readiness) {}

    /**
     * Knows these services.
     *
     * @param endpoints by {@code NAMESPACE/NAME}
     */
    public ServiceEndpoints(Map<String, List<Endpoint>> endpoints, RandomGenerator random, InstantSource clock) {
        this.endpoints = Map.copyOf(endpoints);
        this.random = random;
        this.readiness = new EndpointReadiness(clock);
    }

    @Override
    public String url(String namespace, String name, int port) throws IOException {
        List<Endpoint> all = endpoints.get(namespace + "/" + name);
        if (all == null) {
            throw new IOException("service \"" + name + "\" not found");
        }
        int first = random.nextInt(all.size());
        for (int i = 0; i < all.size(); i++) {
            Endpoint endpoint = all.get((first + i) % all.size());
            if (endpoint.readiness().map(readiness::isReady).orElse(true)) {
                return "https://127.0.0.1:" + endpoint.port();
            }
        }
        throw new IOException("no endpoints available for service \"" + name + "\"");
    }
}
