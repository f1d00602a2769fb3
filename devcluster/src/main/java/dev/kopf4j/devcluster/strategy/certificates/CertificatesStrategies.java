package dev.kopf4j.devcluster.strategy.certificates;

import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import java.time.InstantSource;
import java.util.Map;

/** The strategies of the group certificates.k8s.io. */
public final class CertificatesStrategies {
    private CertificatesStrategies() {}

    /**
     * The strategies by the qualified names of resources.
     *
     * @param clock for the times of conditions
     */
    public static Map<String, ResourceStrategy> all(InstantSource clock) {
        return Map.of("certificatesigningrequests.certificates.k8s.io", new CertificateSigningRequestStrategy(clock));
    }
}
