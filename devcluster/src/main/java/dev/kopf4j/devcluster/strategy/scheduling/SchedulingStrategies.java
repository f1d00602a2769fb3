package dev.kopf4j.devcluster.strategy.scheduling;

import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import java.util.Map;

/** The strategies of the group scheduling.k8s.io. */
public final class SchedulingStrategies {
    private SchedulingStrategies() {}

    /** The strategies by the qualified names of resources. */
    public static Map<String, ResourceStrategy> all() {
        return Map.of("priorityclasses.scheduling.k8s.io", new PriorityClassStrategy());
    }
}
