package dev.kopf4j.devcluster.strategy.discovery;

import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import java.util.Map;

/** The strategies of the group discovery.k8s.io. */
public final class DiscoveryStrategies {
    private DiscoveryStrategies() {}

    /** The strategies by the qualified names of resources. */
    public static Map<String, ResourceStrategy> all() {
        return Map.of("endpointslices.discovery.k8s.io", new EndpointSliceStrategy());
    }
}
