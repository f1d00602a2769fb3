package dev.kopf4j.cli.plan;

import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.engine.ClusterSurvey;
import dev.kopf4j.engine.OperatorEnvironment;
import dev.kopf4j.engine.OperatorPlan;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * A version of an operator.
 *
 * @param name what people call it, such as its file
 * @param builder makes a new builder of it each time, since settings are changed by those who run it
 * @param definitions the custom resource definitions that come with it; none for those of the cluster
 */
public record Version(String name, Supplier<OperatorBuilder> builder, List<Map<String, Object>> definitions) {
    /** Copies the list. */
    public Version {
        definitions = List.copyOf(definitions);
    }

    OperatorPlan plan() {
        return OperatorPlan.of(builder.get());
    }

    ClusterSurvey survey(OperatorEnvironment environment) {
        return ClusterSurvey.of(plan(), environment);
    }
}
