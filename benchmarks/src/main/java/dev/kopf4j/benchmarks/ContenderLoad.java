package dev.kopf4j.benchmarks;

import dev.kopf4j.benchmarks.load.ObjectLoad;
import dev.kopf4j.benchmarks.load.PatchObserver;
import dev.kopf4j.benchmarks.load.SampleObjects;
import dev.kopf4j.benchmarks.load.ServerAddress;
import java.io.IOException;
import java.util.Map;

/**
 * Gives a contender objects to patch.
 *
 * @param server of the cluster
 * @param connections over how many connections the objects are created
 */
record ContenderLoad(ServerAddress server, Contender contender, int connections) {
    /**
     * Creates objects, and waits until the contender has patched all of them.
     *
     * @param prefix of their names
     * @param perSecond the pace; 0 for as quickly as possible
     */
    LoadResult create(String prefix, int objects, int perSecond) throws IOException, InterruptedException {
        try (PatchObserver patchObserver =
                PatchObserver.start(server, SampleObjects.PATH, prefix, contender.results(), objects)) {
            long start = System.nanoTime();
            Map<String, Long> createdAt =
                    new ObjectLoad(server, SampleObjects.PATH, "Sample", prefix, objects, connections, perSecond).run();
            long created = System.nanoTime();
            patchObserver.awaitAll(BenchmarkPlan.PATIENCE_SECONDS, contender.title());
            Map<String, Long> doneAt = patchObserver.doneAt();
            long last =
                    doneAt.values().stream().mapToLong(Long::longValue).max().orElse(created);
            // waits for patches that should not come
            Thread.sleep(1000);
            return new LoadResult(
                    objects / ((last - start) / 1e9),
                    objects / ((created - start) / 1e9),
                    PatchLatency.between(createdAt, doneAt),
                    Double.NaN,
                    Double.NaN,
                    Double.NaN);
        }
    }
}
