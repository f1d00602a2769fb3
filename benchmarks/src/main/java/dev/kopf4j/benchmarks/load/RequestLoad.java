package dev.kopf4j.benchmarks.load;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Sends requests over several connections at a time, each as soon as its connection has the answer before.
 *
 * @param connections how many
 */
public record RequestLoad(int connections) {
    /** Sends the request of this number, from 0, and reads the answer. */
    @FunctionalInterface
    public interface Exchange {
        void send(LoadConnection connection, int number) throws IOException;
    }

    /** The latencies of this number of requests in nanoseconds, sorted. */
    public long[] run(URI server, int requests, Exchange exchange) throws InterruptedException {
        long[] nanos = new long[requests];
        AtomicInteger next = new AtomicInteger();
        try (ExecutorService threads = Executors.newThreadPerTaskExecutor(
                Thread.ofPlatform().name("load-", 0).daemon().factory())) {
            List<Future<?>> running = new ArrayList<>();
            for (int each = 0; each < connections; each++) {
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
}
