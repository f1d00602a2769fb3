package dev.kopf4j.engine.probe;

import org.jspecify.annotations.Nullable;

/**
 * What the operator answers to at which address. Immutable.
 *
 * @param liveness whether it works; null to not answer
 * @param readiness whether it watches everything that it should; null to not answer
 * @param metrics figures of its work; null to not answer
 */
public record ProbeAddresses(
        @Nullable ListenAddress liveness,
        @Nullable ListenAddress readiness,
        @Nullable ListenAddress metrics) {
    /** No answers at all. */
    public static final ProbeAddresses NONE = new ProbeAddresses(null, null, null);

    /** The same with another address for liveness. */
    public ProbeAddresses withLiveness(ListenAddress listenAddress) {
        return new ProbeAddresses(listenAddress, readiness, metrics);
    }

    /** The same with another address for readiness. */
    public ProbeAddresses withReadiness(ListenAddress listenAddress) {
        return new ProbeAddresses(liveness, listenAddress, metrics);
    }

    /** The same with another address for metrics. */
    public ProbeAddresses withMetrics(ListenAddress listenAddress) {
        return new ProbeAddresses(liveness, readiness, listenAddress);
    }
}
