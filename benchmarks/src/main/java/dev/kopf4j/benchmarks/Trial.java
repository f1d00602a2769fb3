package dev.kopf4j.benchmarks;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * One measurement: a fresh server, warmed up, and a fresh process of the contender. Used once.
 *
 * <p>It fails if anything is not as it must be: an object that is never done, a patch after a restart.
 */
final class Trial {
    private static final int WARM_UP = 3000;
    private static final List<String> SERVER_OPTIONS = List.of("-Xmx1g", "-XX:+UseSerialGC");

    private final Plan plan;
    private final Contender contender;
    private final ChildProcess cluster;
    private final URI server;

    private Trial(Plan plan, Contender contender, ChildProcess cluster) {
        this.plan = plan;
        this.contender = contender;
        this.cluster = cluster;
        this.server = URI.create(cluster.line());
    }

    static Figures run(Plan plan, Contender contender) throws IOException, InterruptedException {
        try (ChildProcess cluster = ChildProcess.start(ClusterProcess.class, SERVER_OPTIONS)) {
            Trial trial = new Trial(plan, contender, cluster);
            trial.warmUp();
            return trial.measure();
        }
    }

    /** Runs the contender without measuring anything. */
    static void rehearse(Plan plan, Contender contender, int objects) throws IOException, InterruptedException {
        try (ChildProcess cluster = ChildProcess.start(ClusterProcess.class, SERVER_OPTIONS)) {
            Trial trial = new Trial(plan, contender, cluster);
            try (ChildProcess _ = contender.start(trial.server, plan)) {
                trial.create("t", objects, 0);
            }
        }
    }

    /** The server is not what is measured: it has to be as quick for the first object as for the last one. */
    private void warmUp() throws IOException, InterruptedException {
        try (Observer observer = Observer.start(server, Samples.WARM_UP_PATH, "w", 1, WARM_UP);
                ApiConnection connection = new ApiConnection(server)) {
            new Load(server, Samples.WARM_UP_PATH, "WarmUp", "w", WARM_UP, 2, 0).run();
            for (int i = 0; i < WARM_UP; i++) {
                byte[] patch = "{\"status\":{\"make1\":{\"made\":true}}}".getBytes(StandardCharsets.UTF_8);
                connection.send("PATCH", Samples.WARM_UP_PATH + "/w" + i, "application/merge-patch+json", patch);
            }
            await(observer, "warming up");
        }
    }

    private Figures measure() throws IOException, InterruptedException {
        Run busy;
        Run paced;
        Run warm;
        double cpuStart;
        double peak;
        try (ChildProcess process = contender.start(server, plan)) {
            cpuStart = seconds(process.cpu());
            busy = createAtOnce("a", process);
            paced = create("b", plan.paced(), Plan.PACE);
            warm = createAtOnce("d", process);
            peak = process.peakMegabytes();
        }
        return new Figures(
                contender,
                busy,
                warm,
                paced.latency(),
                cpuStart,
                peak,
                contender instanceof Contender.Framework ? patchesAfterRestart() : 0);
    }

    private Run createAtOnce(String prefix, ChildProcess process) throws IOException, InterruptedException {
        Duration cpuBefore = process.cpu();
        long patchesBefore = patches();
        Run run = create(prefix, plan.objects(), 0);
        return run.with(seconds(process.cpu().minus(cpuBefore)), (patches() - patchesBefore) / (double) plan.objects());
    }

    /** A second process must leave alone what is done; that it is alive shows in what it does for new objects. */
    private long patchesAfterRestart() throws IOException, InterruptedException {
        long before = patches();
        try (ChildProcess _ = contender.start(server, plan)) {
            Thread.sleep(2000);
            long after = patches();
            create("c", 10, Plan.PACE);
            return after - before;
        }
    }

    private Run create(String prefix, int objects, int perSecond) throws IOException, InterruptedException {
        try (Observer observer = Observer.start(server, Samples.PATH, prefix, contender.results(), objects)) {
            long start = System.nanoTime();
            Map<String, Long> createdAt =
                    new Load(server, Samples.PATH, "Sample", prefix, objects, plan.connections(), perSecond).run();
            long created = System.nanoTime();
            await(observer, contender.title());
            Map<String, Long> doneAt = observer.doneAt();
            long last =
                    doneAt.values().stream().mapToLong(Long::longValue).max().orElse(created);
            // Patches that should not be would come now.
            Thread.sleep(1000);
            return new Run(
                    objects / ((last - start) / 1e9),
                    objects / ((created - start) / 1e9),
                    Latency.between(createdAt, doneAt),
                    Double.NaN,
                    Double.NaN);
        }
    }

    private static void await(Observer observer, String what) throws InterruptedException {
        if (!observer.awaitAll(Plan.PATIENCE_SECONDS)) {
            throw new IllegalStateException(
                    what + ": " + observer.missing() + " objects were not done within " + Plan.PATIENCE_SECONDS + " s");
        }
    }

    private long patches() {
        return RequestCount.sum(cluster.ask("count"), "PATCH");
    }

    private static double seconds(Duration duration) {
        return duration.toMillis() / 1000.0;
    }
}
