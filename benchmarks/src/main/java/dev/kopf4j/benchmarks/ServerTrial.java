package dev.kopf4j.benchmarks;

import dev.kopf4j.benchmarks.load.RequestLoad;
import dev.kopf4j.benchmarks.process.ChildProcess;
import dev.kopf4j.benchmarks.process.ClusterProcess;
import java.io.IOException;
import java.util.List;

/** Measures the dev cluster by itself; this process is its client. */
final class ServerTrial {
    private ServerTrial() {}

    /** Runs all measurements, each with a server of its own. */
    static void run(BenchmarkPlan benchmarkPlan) throws IOException, InterruptedException {
        RequestLoad requestLoad = new RequestLoad(benchmarkPlan.load().connections());
        ServerReport.head();
        new RequestTrial(
                        requestLoad,
                        4 * benchmarkPlan.load().objects(),
                        benchmarkPlan.load().rounds())
                .report();
        new ListTrial(requestLoad).report();
        new WatchTrial(requestLoad).report();
        new IdleWatchTrial(requestLoad).report();
    }

    /** A server with a heap of this size. */
    static ChildProcess server(String heap) {
        return ChildProcess.start(ClusterProcess.class, List.of("-Xmx" + heap, "-XX:+UseSerialGC"));
    }
}
