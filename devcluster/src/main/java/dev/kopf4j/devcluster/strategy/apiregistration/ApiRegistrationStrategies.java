package dev.kopf4j.devcluster.strategy.apiregistration;

import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import java.util.Map;

/** The strategies of the group apiregistration.k8s.io. */
public final class ApiRegistrationStrategies {
    private ApiRegistrationStrategies() {}

    /** The strategies by the qualified names of resources. */
    public static Map<String, ResourceStrategy> all() {
        return Map.of("apiservices.apiregistration.k8s.io", new ApiServiceStrategy());
    }
}
