package dev.kopf4j.e2e.endurance.process;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Asks an operator for its probes twice a second, in a thread of its own, and tells whenever they change. An operator
 * that does not answer (it is frozen, dead, or starting) counts for nothing.
 */
public final class ProbeWatch implements AutoCloseable {
    private static final Duration PERIOD = Duration.ofMillis(500);

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(PERIOD).build();
    private final Supplier<URI> address;
    private final Consumer<String> listener;
    private final Thread thread;
    private String last = "";
    private final AtomicInteger dead = new AtomicInteger();
    private volatile boolean wasReady;
    private volatile boolean closed;

    /**
     * Begins to ask.
     *
     * @param address where the operator answers now
     * @param listener gets a line whenever the answers change
     */
    public ProbeWatch(Supplier<URI> address, Consumer<String> listener) {
        this.address = address;
        this.listener = listener;
        this.thread = Thread.ofPlatform().daemon().name("probes").unstarted(this::watch);
        thread.start();
    }

    /** How often liveness said that a restart would help. */
    public int dead() {
        return dead.get();
    }

    /** Whether the operator was ready at any time. */
    public boolean wasReady() {
        return wasReady;
    }

    private void watch() {
        while (!closed) {
            try {
                look();
                Thread.sleep(PERIOD);
            } catch (IOException e) {
                LockSupport.parkNanos(PERIOD.toNanos()); // it does not answer: see above
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private void look() throws IOException, InterruptedException {
        int live = status("/healthz");
        int readiness = status("/ready");
        wasReady |= readiness == 200;
        if (live != 200) {
            dead.incrementAndGet();
        }
        String now = "liveness " + live + ", readiness " + readiness;
        if (!now.equals(last)) {
            last = now;
            listener.accept(now);
        }
    }

    private int status(String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(address.get() + path))
                .timeout(Duration.ofSeconds(2))
                .build();
        return http.send(request, BodyHandlers.ofString()).statusCode();
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        http.shutdownNow();
    }
}
