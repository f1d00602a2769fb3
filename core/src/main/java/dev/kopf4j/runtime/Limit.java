package dev.kopf4j.runtime;

import java.util.Optional;

/** At most so many at a time: permits that are taken before work and given back after it. Thread-safe. */
public final class Limit {
    private final Monitor monitor;
    private int free;

    /** A limit of {@code permits} at a time. */
    public Limit(Platform platform, int permits) {
        if (permits < 1) {
            throw new IllegalArgumentException("a limit must be at least 1: " + permits);
        }
        this.monitor = platform.monitor();
        this.free = permits;
    }

    /**
     * Takes a permit, waiting for one if there is none.
     *
     * @return false if the deadline came first
     * @throws InterruptedException if the task is interrupted before or meanwhile
     */
    public boolean acquire(Deadline deadline) throws InterruptedException {
        return monitor.await(() -> free == 0 ? Optional.empty() : Optional.of(--free), deadline)
                .isPresent();
    }

    /** Gives a permit back. */
    public void release() {
        monitor.locked(() -> {
            free++;
        });
    }
}
