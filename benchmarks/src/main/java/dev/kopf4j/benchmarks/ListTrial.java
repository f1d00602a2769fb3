package dev.kopf4j.benchmarks;

import dev.kopf4j.benchmarks.load.RequestLoad;
import dev.kopf4j.benchmarks.load.SampleConfigMaps;
import dev.kopf4j.benchmarks.process.ChildProcess;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Collections;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Measures how the dev cluster serves long lists with a small heap, and what it holds for each object. */
record ListTrial(RequestLoad requestLoad) {
    private static final int OBJECTS = 10_000;

    void report() throws IOException, InterruptedException {
        try (ChildProcess cluster = ServerTrial.server("96m");
                HttpClient client = HttpClient.newHttpClient()) {
            URI server = URI.create(cluster.line());
            long before = Long.parseLong(cluster.ask("heap"));
            requestLoad.run(server, OBJECTS, (connection, i) -> SampleConfigMaps.create(connection, "big-" + i, 1700));
            long after = Long.parseLong(cluster.ask("heap"));
            long start = System.nanoTime();
            long bytes = list(client, server);
            double millis = (System.nanoTime() - start) / 1e6;
            ServerReport.row(
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
            ServerReport.row(
                    "eight such lists at once, heap of 96 MB",
                    "bounded",
                    String.format(
                            Locale.ROOT,
                            "served; peak RSS %.0f MB",
                            cluster.memory().peak()));
            double json = bytes / (double) OBJECTS;
            ServerReport.row(
                    "heap per object of " + Math.round(json) + " bytes",
                    String.format(Locale.ROOT, "<= %.0f", 1.5 * json + 512),
                    String.format(Locale.ROOT, "%.0f bytes", (after - before) / (double) OBJECTS));
        }
    }

    private static long list(HttpClient client, URI server) throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(server.resolve(SampleConfigMaps.PATH)).build();
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
}
