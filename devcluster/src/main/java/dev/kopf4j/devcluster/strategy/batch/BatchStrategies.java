package dev.kopf4j.devcluster.strategy.batch;

import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import java.util.Map;

/** The strategies of the group batch. */
public final class BatchStrategies {
    private BatchStrategies() {}

    /** The strategies by the qualified names of resources. */
    public static Map<String, ResourceStrategy> all() {
        return Map.of(
                "cronjobs.batch", new CronJobStrategy(),
                "jobs.batch", new JobStrategy());
    }
}
