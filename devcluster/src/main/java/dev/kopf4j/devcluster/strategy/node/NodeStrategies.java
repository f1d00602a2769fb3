package dev.kopf4j.devcluster.strategy.node;

import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import java.util.Map;

/** The strategies of the group node.k8s.io. */
public final class NodeStrategies {
    private NodeStrategies() {}

    /** The strategies by the qualified names of resources. */
    public static Map<String, ResourceStrategy> all() {
        return Map.of("runtimeclasses.node.k8s.io", new RuntimeClassStrategy());
    }
}
