package dev.kopf4j.benchmarks;

import dev.kopf4j.benchmarks.load.RequestLoad;
import dev.kopf4j.benchmarks.load.SampleConfigMaps;
import dev.kopf4j.benchmarks.process.ChildProcess;
import java.net.URI;
import java.util.Locale;

/**
 * Measures how many creates and gets the dev cluster answers, and how quickly.
 *
 * @param count how many requests each round sends of a kind
 */
record RequestTrial(RequestLoad requestLoad, int count, int rounds) {
    private static final int WARM_UP = 5000;

    void report() throws InterruptedException {
        try (ChildProcess cluster = ServerTrial.server("512m")) {
            URI server = URI.create(cluster.line());
            byte[] none = {};
            RequestLoad.Exchange warmUp = (connection, i) -> SampleConfigMaps.create(connection, "warm-" + i, 200);
            requestLoad.run(server, WARM_UP, warmUp);
            RequestLoad.Exchange get =
                    (connection, i) -> connection.send("GET", SampleConfigMaps.PATH + "/warm-" + i % WARM_UP, "", none);
            requestLoad.run(server, 2 * WARM_UP, get);
            for (int round = 1; round <= rounds; round++) {
                String prefix = "round-" + round + "-";
                measure(
                        "creates/s",
                        "> 4000, p99 < 10 ms",
                        server,
                        (connection, i) -> SampleConfigMaps.create(connection, prefix + i, 200));
                measure("gets/s", "> 8000, p99 < 10 ms", server, get);
            }
        }
    }

    private void measure(String title, String aim, URI server, RequestLoad.Exchange exchange)
            throws InterruptedException {
        long start = System.nanoTime();
        long[] nanos = requestLoad.run(server, count, exchange);
        double seconds = (System.nanoTime() - start) / 1e9;
        ServerReport.row(
                title,
                aim,
                String.format(
                        Locale.ROOT,
                        "%.0f, p50 %.2f ms, p99 %.2f ms",
                        count / seconds,
                        nanos[count / 2] / 1e6,
                        nanos[count * 99 / 100] / 1e6));
    }
}
