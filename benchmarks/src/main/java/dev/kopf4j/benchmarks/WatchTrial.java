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
import java.util.concurrent.locks.LockSupport;

/** Measures whether many watchers of the dev cluster keep up with changes at a rate that they must follow. */
record WatchTrial(RequestLoad requestLoad) {
    private static final int WATCHERS = 100;
    private static final int CHANGES_PER_SECOND = 1000;
    private static final Duration WATCHED = Duration.ofSeconds(10);

    /** Prints how long after the last change all watchers have all changes. */
    void report() throws IOException, InterruptedException {
        int changes = (int) (CHANGES_PER_SECOND * WATCHED.toSeconds());
        try (ChildProcess cluster = ServerTrial.server("256m")) {
            URI server = URI.create(cluster.line());
            AtomicLong seen = new AtomicLong();
            List<Thread> readers = new ArrayList<>();
            for (int each = 0; each < WATCHERS; each++) {
                RawWatch watch = RawWatch.open(server, SampleConfigMaps.PATH + "?watch=true&labelSelector=app%3Dbench");
                readers.add(Thread.ofVirtual().start(() -> watch.count(changes, seen)));
            }
            long start = System.nanoTime();
            requestLoad.run(server, changes, (connection, i) -> {
                long due = start + i * 1_000_000_000L / CHANGES_PER_SECOND;
                for (long wait = due - System.nanoTime(); wait > 0; wait = due - System.nanoTime()) {
                    LockSupport.parkNanos(wait);
                }
                SampleConfigMaps.create(connection, "seen-" + i, 100);
            });
            long written = System.nanoTime();
            for (Thread reader : readers) {
                reader.join(Duration.ofSeconds(60));
            }
            ServerReport.row(
                    "100 watchers of 1,000 changes/s",
                    "keep up",
                    String.format(
                            Locale.ROOT,
                            "%.0f changes/s; %d of %d events, the last %.0f ms after its change",
                            changes / ((written - start) / 1e9),
                            seen.get(),
                            (long) changes * WATCHERS,
                            (System.nanoTime() - written) / 1e6));
        }
    }
}
