package dev.kopf4j.devcluster.strategy.apiextensions;

import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import java.util.Map;

/** The strategies of the group apiextensions.k8s.io. */
public final class ApiExtensionsStrategies {
    private ApiExtensionsStrategies() {}

    /** The strategies by the qualified names of resources. */
    public static Map<String, ResourceStrategy> all() {
        return Map.of("customresourcedefinitions.apiextensions.k8s.io", new CrdStrategy());
    }
}
