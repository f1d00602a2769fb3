package dev.kopf4j.engine.admission.http;

import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.Task;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The guards of all connections, whose deadlines are looked at each second. Thread-safe. */
final class OpenConnections implements AutoCloseable {
    private static final Duration CHECKED_EVERY = Duration.ofSeconds(1);
    private static final Duration ASKED_EVERY = Duration.ofMillis(10);
    private final Platform platform;
    private final Monitor monitor;
    private final int most;
    private final Task checks;

    // Guarded by the monitor.
    private final Set<ConnectionGuard> guards = new HashSet<>();
    private boolean ended;

    /**
     * None yet.
     *
     * @param most how many there may be at once
     */
    OpenConnections(Platform platform, int most) {
        this.platform = platform;
        this.monitor = platform.monitor();
        this.most = most;
        this.checks = platform.spawn("webhook deadlines", this::check);
    }

    /**
     * Adds a connection. If there are too many, the one that has waited longest for a request has to go.
     *
     * @return false if all are busy, or the end has come
     */
    boolean add(ConnectionGuard guard) {
        return monitor.locked(() -> {
            if (guards.size() >= most) {
                Optional<ConnectionGuard> oldest = guards.stream()
                        .filter(ConnectionGuard::isWaiting)
                        .min(Comparator.comparing(ConnectionGuard::deadline));
                oldest.ifPresent(ConnectionGuard::cut);
                oldest.ifPresent(guards::remove);
            }
            return !ended && guards.size() < most && guards.add(guard);
        });
    }

    void remove(ConnectionGuard guard) {
        monitor.locked(() -> {
            guards.remove(guard);
        });
    }

    private List<ConnectionGuard> all() {
        return monitor.locked(() -> List.copyOf(guards));
    }

    private void check() {
        try {
            while (true) {
                platform.sleep(CHECKED_EVERY);
                all().forEach(ConnectionGuard::check);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the server ends
        }
    }

    /** Waits until no request is being received or answered, but not longer than this; then cuts all. */
    void end(Duration grace) throws InterruptedException {
        Deadline deadline = platform.after(grace);
        try {
            while (!deadline.hasPassed(platform) && !all().stream().allMatch(ConnectionGuard::isWaiting)) {
                platform.sleep(ASKED_EVERY);
            }
        } finally {
            monitor.locked(() -> {
                ended = true;
            });
            all().forEach(ConnectionGuard::cut);
        }
    }

    @Override
    public void close() {
        checks.interrupt();
    }
}
