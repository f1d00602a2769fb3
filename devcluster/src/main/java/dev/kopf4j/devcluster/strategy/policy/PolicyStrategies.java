package dev.kopf4j.devcluster.strategy.policy;

import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import java.util.Map;

/** The strategies of the group policy. */
public final class PolicyStrategies {
    private PolicyStrategies() {}

    /** The strategies by the qualified names of resources. */
    public static Map<String, ResourceStrategy> all() {
        return Map.of("poddisruptionbudgets.policy", new PodDisruptionBudgetStrategy());
    }
}
