package dev.kopf4j.devcluster.strategy.flowcontrol;

import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import java.util.Map;

/** The strategies of the group flowcontrol.apiserver.k8s.io. */
public final class FlowControlStrategies {
    private FlowControlStrategies() {}

    /** The strategies by the qualified names of resources. */
    public static Map<String, ResourceStrategy> all() {
        return Map.of(
                "flowschemas.flowcontrol.apiserver.k8s.io",
                new FlowSchemaStrategy(),
                "prioritylevelconfigurations.flowcontrol.apiserver.k8s.io",
                new PriorityLevelStrategy());
    }
}
