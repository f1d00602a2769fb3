package dev.kopf4j.devcluster.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.DevCluster;
import dev.kopf4j.devcluster.Options;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Starting, stopping, and slow clients. More starts by {@code -Dlife.starts=1000}. */
class ServerLifecycleTest {
    private static final int STARTS = Integer.getInteger("life.starts", 60);
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";

    private static long usedMemory() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    private static void startAndStop() throws IOException {
        try (DevCluster cluster = DevCluster.start();
                Socket watch = open(cluster, MAPS + "?watch=true")) {
            assertThat(new String(watch.getInputStream().readNBytes(15), StandardCharsets.UTF_8))
                    .isEqualTo("HTTP/1.1 200 OK");
        }
    }

    private static Socket open(DevCluster cluster, String target) throws IOException {
        Socket socket = new Socket(
                InetAddress.getLoopbackAddress(), URI.create(cluster.url()).getPort());
        socket.getOutputStream().write(("GET " + target + " HTTP/1.1\r\n\r\n").getBytes(StandardCharsets.ISO_8859_1));
        return socket;
    }

    /**
     * The bounds are wide, for the machine may be busy: a start takes one or two milliseconds, and a leak would show.
     */
    @Test
    @Timeout(600)
    void leavesNoThreadsAndNoMemoryBehind() throws Exception {
        for (int warmUp = 0; warmUp < 20; warmUp++) {
            startAndStop();
        }
        long[] nanos = new long[STARTS];
        long memory = usedMemory();
        int threads = Thread.activeCount();
        for (int number = 0; number < STARTS; number++) {
            long start = System.nanoTime();
            try (DevCluster ignored = DevCluster.start()) {
                nanos[number] = System.nanoTime() - start;
                assertThat(ignored.url()).startsWith("http://127.0.0.1:");
            }
            startAndStop();
        }
        Arrays.sort(nanos);
        assertThat(nanos[STARTS / 2] / 1_000_000).as("median start in ms").isLessThan(50);
        Thread[] all = new Thread[Thread.activeCount() + 10];
        int count = Thread.enumerate(all);
        for (int index = 0; index < count; index++) {
            if (all[index].getName().startsWith("devcluster")) {
                all[index].join(10_000);
                assertThat(all[index].isAlive()).as(all[index].getName()).isFalse();
            }
        }
        assertThat(Thread.activeCount()).isLessThanOrEqualTo(threads + 3);
        assertThat(usedMemory() - memory).as("bytes left behind").isLessThan(20L << 20);
    }

    /** The client reads nothing until far more was changed than is kept for it. */
    @Test
    @Timeout(120)
    void cutsSlowWatchersOff() throws IOException {
        try (DevCluster cluster = DevCluster.start(Options.defaults().windowSize(50));
                Socket watch = open(cluster, MAPS + "?watch=true")) {
            InputStream in = watch.getInputStream();
            assertThat(new String(in.readNBytes(15), StandardCharsets.UTF_8)).isEqualTo("HTTP/1.1 200 OK");
            long before = usedMemory();
            String big = "x".repeat(100_000);
            for (int number = 0; number < 400; number++) {
                cluster.apply(
                        "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"a\"},\"data\":{\"a\":\""
                                + big + number + "\"}}");
            }
            // Fifty states of 100 KB are kept, and what is under way to the client.
            assertThat(usedMemory() - before).isLessThan(30L << 20);
            String all = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            assertThat(all).contains("\"type\":\"ERROR\"", "\"code\":410", "too old resource version");
        }
    }

    /** As a client that is suspended. More is sent than buffers take, so that the server is writing when it ends. */
    @Test
    @Timeout(120)
    void endsThoughAClientHasStoppedReading() throws Exception {
        CompletableFuture<Void> ended;
        DevCluster cluster = DevCluster.start(Options.defaults().https(true).rbac(true));
        try (Socket watch = Certificates.context(cluster.kubeconfig("jane", "system:masters"))
                .getSocketFactory()
                .createSocket(
                        InetAddress.getLoopbackAddress(),
                        URI.create(cluster.url()).getPort())) {
            watch.getOutputStream()
                    .write(("GET " + MAPS + "?watch=true HTTP/1.1\r\n\r\n").getBytes(StandardCharsets.ISO_8859_1));
            assertThat(new String(watch.getInputStream().readNBytes(15), StandardCharsets.UTF_8))
                    .isEqualTo("HTTP/1.1 200 OK");
            String big = "x".repeat(900_000);
            for (int number = 0; number < 30; number++) {
                cluster.apply("{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"a" + number
                        + "\"},\"data\":{\"a\":\"" + big + "\"}}");
            }
            ended = CompletableFuture.runAsync(cluster::close);
            assertThat(ended).succeedsWithin(Duration.ofSeconds(30));
        }
    }
}
