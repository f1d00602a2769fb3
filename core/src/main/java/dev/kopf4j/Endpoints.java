package dev.kopf4j;

import org.jspecify.annotations.Nullable;

/**
 * What the operator answers to at which address. Immutable.
 *
 * @param liveness whether it works; null to not answer
 * @param readiness whether it watches everything that it should; null to not answer
 * @param metrics figures of its work; null to not answer
 */
public record Endpoints(
        @Nullable Endpoint liveness,
        @Nullable Endpoint readiness,
        @Nullable Endpoint metrics) {
    /** No answers at all. */
    public static final Endpoints NONE = new Endpoints(null, null, null);

    /** The same with another address for liveness. */
    public Endpoints withLiveness(Endpoint endpoint) {
        return new Endpoints(endpoint, readiness, metrics);
    }

    /** The same with another address for readiness. */
    public Endpoints withReadiness(Endpoint endpoint) {
        return new Endpoints(liveness, endpoint, metrics);
    }

    /** The same with another address for metrics. */
    public Endpoints withMetrics(Endpoint endpoint) {
        return new Endpoints(liveness, readiness, endpoint);
    }
}
