package dev.kopf4j.devcluster.strategy.autoscaling;

import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import java.util.Map;

/** The strategies of the group autoscaling. */
public final class AutoscalingStrategies {
    private AutoscalingStrategies() {}

    /** The strategies by the qualified names of resources. */
    public static Map<String, ResourceStrategy> all() {
        return Map.of("horizontalpodautoscalers.autoscaling", new HorizontalPodAutoscalerStrategy());
    }
}
