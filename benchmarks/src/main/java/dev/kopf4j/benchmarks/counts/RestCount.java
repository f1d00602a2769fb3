package dev.kopf4j.benchmarks.counts;

import dev.kopf4j.Operator;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.benchmarks.memory.HeapSize;
import dev.kopf4j.benchmarks.memory.HeldPods;
import dev.kopf4j.benchmarks.memory.InMemoryAccess;
import dev.kopf4j.benchmarks.memory.PodCluster;
import dev.kopf4j.engine.OperatorAssembly;
import dev.kopf4j.engine.OperatorEnvironment;
import dev.kopf4j.engine.OperatorPlan;
import dev.kopf4j.runtime.SimulatedPlatform;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * Counts the bytes of an object at rest: the heap with many objects is compared with the heap with few, of an operator
 * on a cluster in memory that keeps no object itself. There are so many that what else comes and goes in the heap, some
 * 60 KB, does not count.
 */
final class RestCount {
    private static final int FEW = 500;
    private static final int MANY = 6_500;

    private int calls;

    Counts count() throws InterruptedException {
        heap(FEW, 1, builder -> builder); // loads the classes
        double bare = bytes(1, builder -> builder);
        double timed = bytes(
                2,
                builder -> builder.onTimer("pods", "tmr", h -> h.interval(Duration.ofDays(1)), context -> {
                    calls++;
                    return null;
                }));
        double indexed = bytes(
                2,
                builder -> builder.onIndex("pods", "byName", context -> {
                    calls++;
                    return Map.of(context.meta().getString("namespace", "") + "/" + context.name(), "running");
                }));
        return new Counts(Map.of(
                CountLimit.OBJECT, bare, CountLimit.TIMER, timed - bare, CountLimit.INDEX_ENTRY, indexed - bare));
    }

    /** For an object, of which so many handlers are told. */
    private double bytes(int handlers, UnaryOperator<OperatorBuilder> more) throws InterruptedException {
        long few = heap(FEW, handlers, more);
        return (heap(MANY, handlers, more) - few) / (double) (MANY - FEW);
    }

    private long heap(int pods, int handlers, UnaryOperator<OperatorBuilder> more) throws InterruptedException {
        SimulatedPlatform platform = new SimulatedPlatform(1, Instant.parse("2026-01-01T00:00:00Z"));
        calls = 0;
        OperatorBuilder builder = more.apply(Operator.builder().clusterwide())
                .settings(settings -> settings.recorder().memory(0)) // a limit of its own, and no part of an object
                .onEvent("pods", "look", context -> {
                    calls++;
                    return null;
                });
        PodCluster cluster = new PodCluster(platform, pods, HeldPods::pod);
        try (OperatorHandle handle = OperatorAssembly.assemble(
                        OperatorPlan.of(builder), new OperatorEnvironment(platform, new InMemoryAccess(cluster)))
                .start()) {
            platform.runFor(Duration.ofMinutes(1));
            if (calls != pods * handlers) {
                throw new IllegalStateException(calls + " calls instead of " + pods * handlers);
            }
            long bytes = HeapSize.used();
            handle.stop();
            platform.runFor(Duration.ofMinutes(1));
            return bytes;
        }
    }
}
