package dev.kopf4j.benchmarks.load;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Creates objects over some kept-alive connections: at full speed, or at a given pace.
 *
 * @param server the API server
 * @param path where to create
 * @param kind what to create
 * @param prefix of the names
 * @param objects how many
 * @param connections over how many connections
 * @param perSecond how many a second; 0 for full speed
 */
public record ObjectLoad(
        ServerAddress server, String path, String kind, String prefix, int objects, int connections, int perSecond) {
    /** Creates all objects; returns when the server responded to each, in readings of {@link System#nanoTime}. */
    public Map<String, Long> run() throws InterruptedException {
        Map<String, Long> createdAt = new ConcurrentHashMap<>();
        AtomicInteger next = new AtomicInteger();
        long start = System.nanoTime();
        try (ExecutorService threads = Executors.newThreadPerTaskExecutor(
                Thread.ofPlatform().name("load-", 0).daemon().factory())) {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < connections; i++) {
                running.add(threads.submit(() -> {
                    create(next, start, createdAt);
                    return null;
                }));
            }
            for (Future<?> each : running) {
                each.get();
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("the load has failed: " + e.getCause(), e);
        }
        return createdAt;
    }

    private void create(AtomicInteger next, long start, Map<String, Long> createdAt) throws IOException {
        try (LoadConnection connection = new LoadConnection(server)) {
            for (int i = next.getAndIncrement(); i < objects; i = next.getAndIncrement()) {
                awaitTurn(i, start);
                String name = prefix + i;
                connection.send("POST", path, "application/json", SampleObjects.body(kind, name));
                createdAt.put(name, System.nanoTime());
            }
        }
    }

    private void awaitTurn(int index, long start) {
        if (perSecond > 0) {
            long due = start + index * 1_000_000_000L / perSecond;
            for (long wait = due - System.nanoTime(); wait > 0; wait = due - System.nanoTime()) {
                LockSupport.parkNanos(wait);
            }
        }
    }
}
