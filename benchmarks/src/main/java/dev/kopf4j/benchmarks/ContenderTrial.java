package dev.kopf4j.benchmarks;

import dev.kopf4j.benchmarks.load.LoadConnection;
import dev.kopf4j.benchmarks.load.ObjectLoad;
import dev.kopf4j.benchmarks.load.PatchObserver;
import dev.kopf4j.benchmarks.load.SampleObjects;
import dev.kopf4j.benchmarks.process.ChildProcess;
import dev.kopf4j.benchmarks.process.ClusterProcess;
import dev.kopf4j.benchmarks.process.RequestCount;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * One measurement: a fresh server, warmed up, and a fresh process of the contender. Used once.
 *
 * <p>It fails if an object is never done, or if the restarted process patches an object that is done.
 */
final class ContenderTrial {
    private static final int WARM_UP = 3000;
    private static final List<String> SERVER_OPTIONS = List.of("-Xmx1g", "-XX:+UseSerialGC");

    private final BenchmarkPlan benchmarkPlan;
    private final Contender contender;
    private final ChildProcess cluster;
    private final URI server;

    private ContenderTrial(BenchmarkPlan benchmarkPlan, Contender contender, ChildProcess cluster) {
        this.benchmarkPlan = benchmarkPlan;
        this.contender = contender;
        this.cluster = cluster;
        this.server = URI.create(cluster.line());
    }

    static ContenderFigures run(BenchmarkPlan benchmarkPlan, Contender contender)
            throws IOException, InterruptedException {
        try (ChildProcess cluster = ChildProcess.start(ClusterProcess.class, SERVER_OPTIONS)) {
            ContenderTrial contenderTrial = new ContenderTrial(benchmarkPlan, contender, cluster);
            contenderTrial.warmUp();
            return contenderTrial.measure();
        }
    }

    /** Runs the contender without measuring anything. */
    static void rehearse(BenchmarkPlan benchmarkPlan, Contender contender, int objects)
            throws IOException, InterruptedException {
        try (ChildProcess cluster = ChildProcess.start(ClusterProcess.class, SERVER_OPTIONS)) {
            ContenderTrial contenderTrial = new ContenderTrial(benchmarkPlan, contender, cluster);
            try (ChildProcess _ = contender.start(contenderTrial.server, benchmarkPlan)) {
                contenderTrial.create("t", objects, 0);
            }
        }
    }

    /** Warms up the server, so that it is as quick for the first object as for the last one. */
    private void warmUp() throws IOException, InterruptedException {
        try (PatchObserver patchObserver = PatchObserver.start(server, SampleObjects.WARM_UP_PATH, "w", 1, WARM_UP);
                LoadConnection connection = new LoadConnection(server)) {
            new ObjectLoad(server, SampleObjects.WARM_UP_PATH, "WarmUp", "w", WARM_UP, 2, 0).run();
            for (int i = 0; i < WARM_UP; i++) {
                byte[] patch = "{\"status\":{\"make1\":{\"made\":true}}}".getBytes(StandardCharsets.UTF_8);
                connection.send("PATCH", SampleObjects.WARM_UP_PATH + "/w" + i, "application/merge-patch+json", patch);
            }
            await(patchObserver, "warming up");
        }
    }

    private ContenderFigures measure() throws IOException, InterruptedException {
        LoadResult busy;
        LoadResult paced;
        LoadResult warm;
        double cpuStart;
        double peak;
        try (ChildProcess process = contender.start(server, benchmarkPlan)) {
            cpuStart = seconds(process.cpu());
            busy = createAtOnce("a", process);
            paced = create("b", benchmarkPlan.paced(), BenchmarkPlan.PACE);
            warm = createAtOnce("d", process);
            peak = process.peakMegabytes();
        }
        return new ContenderFigures(
                contender,
                busy,
                warm,
                paced.patchLatency(),
                cpuStart,
                peak,
                contender instanceof Contender.Framework ? patchesAfterRestart() : 0);
    }

    private LoadResult createAtOnce(String prefix, ChildProcess process) throws IOException, InterruptedException {
        Duration cpuBefore = process.cpu();
        long patchesBefore = patches();
        LoadResult loadResult = create(prefix, benchmarkPlan.objects(), 0);
        return loadResult.with(
                seconds(process.cpu().minus(cpuBefore)),
                (patches() - patchesBefore) / (double) benchmarkPlan.objects());
    }

    /** A second process must not patch objects that are done. New objects show that it works. */
    private long patchesAfterRestart() throws IOException, InterruptedException {
        long before = patches();
        try (ChildProcess _ = contender.start(server, benchmarkPlan)) {
            Thread.sleep(2000);
            long after = patches();
            create("c", 10, BenchmarkPlan.PACE);
            return after - before;
        }
    }

    private LoadResult create(String prefix, int objects, int perSecond) throws IOException, InterruptedException {
        try (PatchObserver patchObserver =
                PatchObserver.start(server, SampleObjects.PATH, prefix, contender.results(), objects)) {
            long start = System.nanoTime();
            Map<String, Long> createdAt = new ObjectLoad(
                            server,
                            SampleObjects.PATH,
                            "Sample",
                            prefix,
                            objects,
                            benchmarkPlan.connections(),
                            perSecond)
                    .run();
            long created = System.nanoTime();
            await(patchObserver, contender.title());
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
                    Double.NaN);
        }
    }

    private static void await(PatchObserver patchObserver, String what) throws InterruptedException {
        if (!patchObserver.awaitAll(BenchmarkPlan.PATIENCE_SECONDS)) {
            throw new IllegalStateException(what + ": " + patchObserver.missing() + " objects were not done within "
                    + BenchmarkPlan.PATIENCE_SECONDS + " s");
        }
    }

    private long patches() {
        return RequestCount.sum(cluster.ask("count"), "PATCH");
    }

    private static double seconds(Duration duration) {
        return duration.toMillis() / 1000.0;
    }
}
