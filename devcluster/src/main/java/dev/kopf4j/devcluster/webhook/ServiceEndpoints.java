package dev.kopf4j.devcluster.webhook;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

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
            throw new IOException("service \"" + name
                    + "\" not found; this cluster reaches it if it is started as kopf4j devcluster --service "
                    + namespace + "/" + name + "=PORT, or with Options.webhookServices");
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

    /** Asks endpoints whether they are ready, as a kubelet does, but only when somebody wants to know. Thread-safe. */
    private static final class EndpointReadiness {
        /** The shortest period that a kubelet can be told. */
        private static final Duration BELIEVED_FOR = Duration.ofSeconds(1);

        private static final Duration TIMEOUT = Duration.ofSeconds(1);

        private record Known(boolean ready, Instant moment) {}

        private final Map<URI, Known> known = new ConcurrentHashMap<>();
        private final InstantSource clock;

        EndpointReadiness(InstantSource clock) {
            this.clock = clock;
        }

        /** True if the last answer, at most a second ago, was a good one. */
        boolean isReady(URI probe) {
            return known.compute(probe, (same, last) -> isFresh(last) ? last : new Known(ask(probe), clock.instant()))
                    .ready();
        }

        private boolean isFresh(@Nullable Known last) {
            return last != null && clock.instant().isBefore(last.moment().plus(BELIEVED_FOR));
        }

        /** With a client of its own: each has a thread, and most clusters are never asked. */
        private static boolean ask(URI probe) {
            try (HttpClient client =
                    HttpClient.newBuilder().connectTimeout(TIMEOUT).build()) {
                int status = client.send(
                                HttpRequest.newBuilder(probe).timeout(TIMEOUT).build(),
                                HttpResponse.BodyHandlers.discarding())
                        .statusCode();
                return status / 100 == 2 || status / 100 == 3;
            } catch (IOException e) {
                return false; // nobody is there, or is too slow
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
    }
}
