package dev.kopf4j.e2e.endurance;

import dev.kopf4j.e2e.endurance.cluster.ClusterClient;
import dev.kopf4j.e2e.endurance.cluster.Trials;
import java.io.IOException;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Creates, changes and deletes objects at a pace, in a thread of its own, whatever the server says. */
final class Load implements AutoCloseable {
    private static final int DELETED_PERCENT = 12;

    private final ClusterClient client;
    private final Random random;
    private final int objects;
    private final long pauseNanos;
    private final Thread thread = Thread.ofPlatform().daemon().name("load").unstarted(this::run);
    private volatile boolean populated;
    private volatile boolean closed;
    private long value;

    Load(ClusterClient client, EndurancePlan plan) {
        this.client = client;
        this.random = new Random(plan.seed());
        this.objects = plan.load().objects();
        this.pauseNanos = TimeUnit.SECONDS.toNanos(1) / plan.load().pace();
        thread.start();
    }

    private void run() {
        for (int number = 0; number < objects && !closed; number++) {
            touch(number, false);
        }
        populated = true;
        while (!closed) {
            touch(random.nextInt(objects), random.nextInt(100) < DELETED_PERCENT);
        }
    }

    /** Whether all objects have been created once. */
    boolean isPopulated() {
        return populated;
    }

    /** Deletes an object, or changes it, or creates it if there is none. */
    private void touch(int number, boolean delete) {
        LockSupport.parkNanos(pauseNanos);
        String path = Trials.in(Trials.NAMESPACES.get(number % Trials.NAMESPACES.size()));
        String name = "trial-" + number;
        value++;
        try {
            if (delete) {
                client.send("DELETE", path + "/" + name, null);
            } else if (client.send("PATCH", path + "/" + name, Trials.change(value))
                            .status()
                    == 404) {
                client.send("POST", path, Trials.object(name, value));
            }
        } catch (IOException e) {
            // The server is disturbed on purpose; whether it was done shows in the watch of the observer.
            LockSupport.parkNanos(pauseNanos);
        }
    }

    @Override
    public void close() {
        if (!thread.isAlive()) {
            throw new IllegalStateException("the load has ended too early; its error is above");
        }
        closed = true;
        try {
            thread.join(TimeUnit.SECONDS.toMillis(20));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
