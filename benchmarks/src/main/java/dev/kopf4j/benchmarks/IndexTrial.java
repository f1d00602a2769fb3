package dev.kopf4j.benchmarks;

import dev.kopf4j.Index;
import dev.kopf4j.Operator;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.benchmarks.memory.HeapSize;
import dev.kopf4j.benchmarks.memory.InMemoryAccess;
import dev.kopf4j.benchmarks.memory.NumberedPods;
import dev.kopf4j.benchmarks.memory.PodCluster;
import dev.kopf4j.benchmarks.scale.GrowthTable;
import dev.kopf4j.engine.OperatorAssembly;
import dev.kopf4j.engine.OperatorEnvironment;
import dev.kopf4j.engine.OperatorPlan;
import dev.kopf4j.runtime.SystemPlatform;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Measures an index over many pods, in this process and on a cluster in memory: compares an operator that only reads
 * each pod with one that also indexes them.
 */
final class IndexTrial {
    private final int pods;
    private final SystemPlatform platform = new SystemPlatform();

    IndexTrial(int pods) {
        this.pods = pods;
    }

    /** The key of a pod. */
    record Place(String namespace, String name) {}

    /** The time and memory of one operator. */
    private record Run(double seconds, long bytes, LookupTimes lookups) {}

    void report() throws InterruptedException {
        run(Math.min(pods, 10_000), true);
        Run bare = run(pods, false);
        Run indexing = run(pods, true);
        long keys = keysAndValues();
        System.out.printf("| | without index | with index |%n|---|---|---|%n");
        System.out.printf(
                "| until all %,d pods are known | %.1f s | %.1f s |%n", pods, bare.seconds(), indexing.seconds());
        System.out.printf("| bytes per pod, all in all | %d | %d |%n", bare.bytes() / pods, indexing.bytes() / pods);
        System.out.printf(
                "| bytes per index entry, beyond its key and value (%d) | | %d |%n",
                keys / pods, (indexing.bytes() - bare.bytes() - keys) / pods);
        System.out.printf(
                "| look-up of any key; in a plain HashMap | %.0f ns | %.0f ns |%n",
                indexing.lookups().map(), indexing.lookups().index());
    }

    /** Prints how the figures grow. */
    static void growth(List<Integer> sizes) throws InterruptedException {
        new IndexTrial(10_000).run(10_000, true);
        GrowthTable table = new GrowthTable("pods in the index");
        for (int size : sizes) {
            IndexTrial trial = new IndexTrial(size);
            Run bare = trial.run(size, false);
            Run indexing = trial.run(size, true);
            table.column(size);
            table.add(
                    "until all are known, without and with index, s",
                    "%.1f; %.1f".formatted(bare.seconds(), indexing.seconds()));
            table.add(
                    "bytes for a pod, without and with index",
                    "%d; %d".formatted(bare.bytes() / size, indexing.bytes() / size));
            table.add(
                    "look-up of any key, in a plain HashMap and in the index, ns",
                    "%.0f; %.0f"
                            .formatted(
                                    indexing.lookups().map(), indexing.lookups().index()));
        }
        table.print();
    }

    private Run run(int count, boolean indexed) throws InterruptedException {
        long before = HeapSize.used();
        AtomicInteger seen = new AtomicInteger();
        AtomicReference<@Nullable Index<Place, String>> index = new AtomicReference<>();
        OperatorBuilder builder = Operator.builder().clusterwide().onEvent("pods", "look", context -> {
            seen.incrementAndGet();
            return null;
        });
        if (indexed) {
            builder.onIndex(
                            "pods",
                            "byPlace",
                            context -> Map.of(
                                    new Place(context.meta().getString("namespace", ""), context.name()), "running"))
                    .onStartup("start", context -> {
                        index.set(context.index("byPlace"));
                        return null;
                    });
        }
        long start = platform.nanos();
        try (OperatorHandle handle = OperatorAssembly.assemble(
                        OperatorPlan.of(builder),
                        new OperatorEnvironment(
                                platform, new InMemoryAccess(new PodCluster(platform, count, NumberedPods::small))))
                .start()) {
            while (seen.get() < count) {
                platform.sleep(Duration.ofMillis(20));
            }
            double seconds = (platform.nanos() - start) / 1e9;
            platform.sleep(Duration.ofSeconds(1));
            long bytes = HeapSize.used() - before;
            Index<Place, String> filled = index.get();
            LookupTimes lookups = filled == null ? new LookupTimes(0, 0) : LookupTimes.of(filled, platform);
            handle.stop();
            return new Run(seconds, bytes, lookups);
        }
    }

    /** The memory of the keys and values without any index. */
    private long keysAndValues() throws InterruptedException {
        long before = HeapSize.used();
        List<Place> keys = new ArrayList<>(pods);
        for (int pod = 0; pod < pods; pod++) {
            keys.add(new Place(NumberedPods.namespace(pod), NumberedPods.name(pod)));
        }
        long bytes = HeapSize.used() - before - 4L * pods;
        if (keys.size() != pods) {
            throw new IllegalStateException("keys are missing");
        }
        return bytes;
    }
}
