package dev.kopf4j.benchmarks;

import dev.kopf4j.benchmarks.load.RawWatch;
import dev.kopf4j.benchmarks.load.RequestLoad;
import dev.kopf4j.benchmarks.load.SampleConfigMaps;
import dev.kopf4j.benchmarks.process.ChildProcess;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;

/** Measures what the dev cluster takes for very many watches, and how soon one change has reached them all. */
record IdleWatchTrial(RequestLoad requestLoad) {
    private static final int IDLE_WATCHES = 1000;

    void report() throws IOException, InterruptedException {
        try (ChildProcess cluster = ServerTrial.server("256m")) {
            URI server = URI.create(cluster.line());
            long before = Long.parseLong(cluster.ask("heap"));
            long start = System.nanoTime();
            AtomicLong seen = new AtomicLong();
            List<Thread> readers = new ArrayList<>();
            for (int each = 0; each < IDLE_WATCHES; each++) {
                RawWatch watch = RawWatch.open(server, SampleConfigMaps.PATH + "?watch=true");
                readers.add(Thread.ofVirtual().start(() -> watch.count(1, seen)));
            }
            double opened = (System.nanoTime() - start) / 1e6;
            long heap = Long.parseLong(cluster.ask("heap")) - before;
            long change = System.nanoTime();
            requestLoad.run(server, 1, (connection, i) -> SampleConfigMaps.create(connection, "one", 100));
            for (Thread reader : readers) {
                reader.join(Duration.ofSeconds(30));
            }
            ServerReport.row(
                    "1,000 concurrent watches",
                    "served",
                    String.format(
                            Locale.ROOT,
                            "opened in %.0f ms, %.0f KB of heap each; one change reached %d in %.0f ms",
                            opened,
                            heap / 1024.0 / IDLE_WATCHES,
                            seen.get(),
                            (System.nanoTime() - change) / 1e6));
        }
    }
}
