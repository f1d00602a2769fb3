package dev.kopf4j.benchmarks;

import dev.kopf4j.benchmarks.load.ServerAddress;
import dev.kopf4j.benchmarks.process.ChildProcess;
import dev.kopf4j.benchmarks.process.ProcessMemory;
import java.io.IOException;
import java.time.Duration;

/**
 * One measurement: a fresh server, warmed up, and a fresh process of the contender. Used once.
 *
 * <p>It fails if an object is never done, or if the restarted process patches an object that is done.
 */
final class ContenderTrial {
    /** Longer than the JVM takes to give back what starting has used. */
    private static final int SETTLING_MILLIS = 11_000;

    private final BenchmarkPlan benchmarkPlan;
    private final Contender contender;
    private final MeasuredServer cluster;
    private final ServerAddress server;
    private final ContenderLoad load;

    private ContenderTrial(BenchmarkPlan benchmarkPlan, Contender contender, MeasuredServer cluster) {
        this.benchmarkPlan = benchmarkPlan;
        this.contender = contender;
        this.cluster = cluster;
        this.server = cluster.address();
        this.load = new ContenderLoad(server, contender, benchmarkPlan.load().connections());
    }

    static ContenderFigures run(BenchmarkPlan benchmarkPlan, Contender contender)
            throws IOException, InterruptedException {
        try (MeasuredServer cluster = MeasuredServer.of(benchmarkPlan)) {
            ContenderTrial contenderTrial = new ContenderTrial(benchmarkPlan, contender, cluster);
            ServerWarmUp.run(contenderTrial.server);
            return contenderTrial.measure();
        }
    }

    /** Runs the contender without measuring anything. */
    static void rehearse(BenchmarkPlan benchmarkPlan, Contender contender, int objects)
            throws IOException, InterruptedException {
        try (MeasuredServer cluster = MeasuredServer.of(benchmarkPlan)) {
            ContenderTrial contenderTrial = new ContenderTrial(benchmarkPlan, contender, cluster);
            try (ChildProcess _ = contender.start(contenderTrial.server, benchmarkPlan)) {
                contenderTrial.load.create("t", objects, 0);
            }
        }
    }

    private ContenderFigures measure() throws IOException, InterruptedException {
        LoadResult busy;
        LoadResult paced;
        LoadResult warm;
        double cpuStart;
        ProcessMemory idle;
        ProcessMemory full;
        try (ChildProcess process = contender.start(server, benchmarkPlan)) {
            cpuStart = seconds(process.cpu());
            Thread.sleep(SETTLING_MILLIS);
            idle = process.memory();
            busy = createAtOnce("a", process);
            paced = load.create("b", benchmarkPlan.load().paced(), BenchmarkPlan.PACE);
            warm = createAtOnce("d", process);
            full = process.memory();
        }
        return new ContenderFigures(
                contender,
                busy,
                warm,
                paced.patchLatency(),
                new ContenderFigures.OfProcess(cpuStart, idle, full),
                contender instanceof Contender.BareLoop ? 0 : patchesAfterRestart());
    }

    private LoadResult createAtOnce(String prefix, ChildProcess process) throws IOException, InterruptedException {
        Duration cpuBefore = process.cpu();
        long patchesBefore = patches();
        long allocatedBefore = process.allocated();
        LoadResult loadResult = load.create(prefix, benchmarkPlan.load().objects(), 0);
        return loadResult.with(
                1000
                        * seconds(process.cpu().minus(cpuBefore))
                        / benchmarkPlan.load().objects(),
                (patches() - patchesBefore) / (double) benchmarkPlan.load().objects(),
                (process.allocated() - allocatedBefore)
                        / 1024.0
                        / benchmarkPlan.load().objects());
    }

    /** A second process must not patch objects that are done. New objects show that it works. */
    private long patchesAfterRestart() throws IOException, InterruptedException {
        long before = patches();
        try (ChildProcess _ = contender.start(server, benchmarkPlan)) {
            Thread.sleep(2000);
            long after = patches();
            load.create("c", 10, BenchmarkPlan.PACE);
            return after - before;
        }
    }

    private long patches() {
        return cluster.patches();
    }

    private static double seconds(Duration duration) {
        return duration.toMillis() / 1000.0;
    }
}
