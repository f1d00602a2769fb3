package dev.kopf4j.benchmarks.soak;

import dev.kopf4j.Operator;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.benchmarks.process.OperatorProgress;
import java.time.Duration;
import java.util.Map;

/** An operator with a handler of each kind. */
final class SoakOperator {
    private static final String SAMPLES = "samples.bench.kopf4j.dev";

    private SoakOperator() {}

    static OperatorBuilder builder(OperatorProgress progress) {
        return Operator.builder()
                .clusterwide()
                .metricsListener(progress)
                .onIndex(SAMPLES, "byName", context -> Map.of(context.name(), context.uid()))
                .onEvent(SAMPLES, "look", context -> null)
                .onCreate(SAMPLES, "make", context -> {
                    context.memo().put("made", context.body());
                    return Map.of("known", context.index("byName").size());
                })
                .onUpdate(SAMPLES, "change", context -> Map.of("name", context.name()))
                .onDelete(SAMPLES, "remove", context -> null)
                .onTimer(SAMPLES, "tick", h -> h.interval(Duration.ofSeconds(10)), context -> null)
                .onDaemon(SAMPLES, "wait", context -> {
                    context.stopped().await();
                    return null;
                });
    }
}
