package dev.kopf4j.benchmarks;

import dev.kopf4j.benchmarks.load.LoadConnection;
import dev.kopf4j.benchmarks.load.RawWatch;
import dev.kopf4j.benchmarks.process.ChildProcess;
import dev.kopf4j.benchmarks.process.ClusterProcess;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Measures the dev cluster by itself; this process is its client. */
final class ServerTrial {
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private static final int OBJECTS = 10_000;
    private static final int WATCHERS = 100;
    private static final int IDLE_WATCHES = 1000;
    private static final int CHANGES_PER_SECOND = 1000;
    private static final Duration WATCHED = Duration.ofSeconds(10);
    private final BenchmarkPlan benchmarkPlan;

    private ServerTrial(BenchmarkPlan benchmarkPlan) {
        this.benchmarkPlan = benchmarkPlan;
    }

    /** Runs all measurements, each with a server of its own. */
    static void run(BenchmarkPlan benchmarkPlan) throws IOException, InterruptedException {
        System.out.println("| | measured | aim |\n|---|---|---|");
        ServerTrial trial = new ServerTrial(benchmarkPlan);
        trial.requests();
        trial.bigLists();
        trial.watchers();
        trial.idleWatches();
    }

    private static ChildProcess server(String heap) {
        return ChildProcess.start(ClusterProcess.class, List.of("-Xmx" + heap, "-XX:+UseSerialGC"));
    }

    private static void row(String title, String aim, String measured) {
        System.out.println("| " + title + " | " + measured + " | " + aim + " |");
    }

    private static byte[] map(String name, int size) {
        return ("{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"" + name
                        + "\",\"labels\":{\"app\":\"bench\"}},\"data\":{\"a\":\"" + "x".repeat(size) + "\"}}")
                .getBytes(StandardCharsets.UTF_8);
    }

    @FunctionalInterface
    private interface Exchange {
        void send(LoadConnection connection, int number) throws IOException;
    }

    /** The latencies of this number of requests over the plan's connections, in nanoseconds, sorted. */
    private long[] load(URI server, int requests, Exchange exchange) throws InterruptedException {
        long[] nanos = new long[requests];
        AtomicInteger next = new AtomicInteger();
        try (ExecutorService threads = Executors.newThreadPerTaskExecutor(
                Thread.ofPlatform().name("load-", 0).daemon().factory())) {
            List<Future<?>> running = new ArrayList<>();
            for (int each = 0; each < benchmarkPlan.connections(); each++) {
                running.add(threads.submit(() -> {
                    try (LoadConnection connection = new LoadConnection(server)) {
                        for (int i = next.getAndIncrement(); i < requests; i = next.getAndIncrement()) {
                            long start = System.nanoTime();
                            exchange.send(connection, i);
                            nanos[i] = System.nanoTime() - start;
                        }
                    }
                    return null;
                }));
            }
            for (Future<?> each : running) {
                each.get();
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("the load has failed: " + e.getCause(), e);
        }
        Arrays.sort(nanos);
        return nanos;
    }

    private void requests() throws InterruptedException {
        try (ChildProcess cluster = server("512m")) {
            URI server = URI.create(cluster.line());
            byte[] none = {};
            Exchange warmUp =
                    (connection, i) -> connection.send("POST", MAPS, "application/json", map("warm-" + i, 200));
            load(server, 5000, warmUp);
            Exchange get = (connection, i) -> connection.send("GET", MAPS + "/warm-" + i % 5000, "", none);
            load(server, 10_000, get);
            for (int round = 1; round <= benchmarkPlan.rounds(); round++) {
                String prefix = "round-" + round + "-";
                measure(
                        "creates/s",
                        "> 4000, p99 < 10 ms",
                        server,
                        (connection, i) -> connection.send("POST", MAPS, "application/json", map(prefix + i, 200)));
                measure("gets/s", "> 8000, p99 < 10 ms", server, get);
            }
        }
    }

    private void measure(String title, String aim, URI server, Exchange exchange) throws InterruptedException {
        int count = 4 * benchmarkPlan.objects();
        long start = System.nanoTime();
        long[] nanos = load(server, count, exchange);
        double seconds = (System.nanoTime() - start) / 1e9;
        row(
                title,
                aim,
                String.format(
                        Locale.ROOT,
                        "%.0f, p50 %.2f ms, p99 %.2f ms",
                        count / seconds,
                        nanos[count / 2] / 1e6,
                        nanos[count * 99 / 100] / 1e6));
    }

    private void bigLists() throws IOException, InterruptedException {
        try (ChildProcess cluster = server("96m");
                HttpClient client = HttpClient.newHttpClient()) {
            URI server = URI.create(cluster.line());
            long before = Long.parseLong(cluster.ask("heap"));
            load(
                    server,
                    OBJECTS,
                    (connection, i) -> connection.send("POST", MAPS, "application/json", map("big-" + i, 1700)));
            long after = Long.parseLong(cluster.ask("heap"));
            long start = System.nanoTime();
            long bytes = list(client, server);
            double millis = (System.nanoTime() - start) / 1e6;
            row(
                    "list of 10,000 objects",
                    "streams",
                    String.format(Locale.ROOT, "%.1f MB in %.0f ms", bytes / 1e6, millis));
            try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                Callable<Long> list = () -> list(client, server);
                for (Future<Long> each : threads.invokeAll(Collections.nCopies(8, list))) {
                    each.get();
                }
            } catch (ExecutionException e) {
                throw new IllegalStateException("a list has failed: " + e.getCause(), e);
            }
            row(
                    "eight such lists at once, heap of 96 MB",
                    "bounded",
                    String.format(Locale.ROOT, "served; peak RSS %.0f MB", cluster.peakMegabytes()));
            double json = bytes / (double) OBJECTS;
            row(
                    "heap per object of " + Math.round(json) + " bytes",
                    String.format(Locale.ROOT, "<= %.0f", 1.5 * json + 512),
                    String.format(Locale.ROOT, "%.0f bytes", (after - before) / (double) OBJECTS));
        }
    }

    private static long list(HttpClient client, URI server) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(server.resolve(MAPS)).build();
        HttpResponse<InputStream> response = client.send(request, HttpResponse.BodyHandlers.ofInputStream());
        try (InputStream body = response.body()) {
            byte[] buffer = new byte[1 << 16];
            long bytes = 0;
            for (int count = body.read(buffer); count >= 0; count = body.read(buffer)) {
                bytes += count;
            }
            return bytes;
        }
    }

    /** Measures how long after the last change all watchers have all changes, at a rate that they must follow. */
    private void watchers() throws IOException, InterruptedException {
        int changes = (int) (CHANGES_PER_SECOND * WATCHED.toSeconds());
        try (ChildProcess cluster = server("256m")) {
            URI server = URI.create(cluster.line());
            AtomicLong seen = new AtomicLong();
            List<Thread> readers = new ArrayList<>();
            for (int each = 0; each < WATCHERS; each++) {
                RawWatch watch = RawWatch.open(server, MAPS + "?watch=true&labelSelector=app%3Dbench");
                readers.add(Thread.ofVirtual().start(() -> watch.count(changes, seen)));
            }
            long start = System.nanoTime();
            load(server, changes, (connection, i) -> {
                long due = start + i * 1_000_000_000L / CHANGES_PER_SECOND;
                for (long wait = due - System.nanoTime(); wait > 0; wait = due - System.nanoTime()) {
                    LockSupport.parkNanos(wait);
                }
                connection.send("POST", MAPS, "application/json", map("seen-" + i, 100));
            });
            long written = System.nanoTime();
            for (Thread reader : readers) {
                reader.join(Duration.ofSeconds(60));
            }
            row(
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

    private void idleWatches() throws IOException, InterruptedException {
        try (ChildProcess cluster = server("256m")) {
            URI server = URI.create(cluster.line());
            long before = Long.parseLong(cluster.ask("heap"));
            long start = System.nanoTime();
            AtomicLong seen = new AtomicLong();
            List<Thread> readers = new ArrayList<>();
            for (int each = 0; each < IDLE_WATCHES; each++) {
                RawWatch watch = RawWatch.open(server, MAPS + "?watch=true");
                readers.add(Thread.ofVirtual().start(() -> watch.count(1, seen)));
            }
            double opened = (System.nanoTime() - start) / 1e6;
            long heap = Long.parseLong(cluster.ask("heap")) - before;
            long change = System.nanoTime();
            load(server, 1, (connection, i) -> connection.send("POST", MAPS, "application/json", map("one", 100)));
            for (Thread reader : readers) {
                reader.join(Duration.ofSeconds(30));
            }
            row(
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
