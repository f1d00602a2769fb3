package dev.kopf4j.devcluster.strategy.coordination;

import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import java.util.Map;

/** The strategies of the group coordination.k8s.io. */
public final class CoordinationStrategies {
    private CoordinationStrategies() {}

    /** The strategies by the qualified names of resources. */
    public static Map<String, ResourceStrategy> all() {
        return Map.of("leases.coordination.k8s.io", new LeaseStrategy());
    }
}
