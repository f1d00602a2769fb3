package dev.kopf4j.devcluster.strategy.apps;

import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import java.util.Map;

/** The strategies of the group apps. */
public final class AppsStrategies {
    private AppsStrategies() {}

    /** The strategies by the qualified names of resources. */
    public static Map<String, ResourceStrategy> all() {
        return Map.of(
                "controllerrevisions.apps", new ControllerRevisionStrategy(),
                "daemonsets.apps", new DaemonSetStrategy(),
                "deployments.apps", new DeploymentStrategy(),
                "replicasets.apps", new ReplicaSetStrategy(),
                "statefulsets.apps", new StatefulSetStrategy());
    }
}
