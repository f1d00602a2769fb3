package dev.kopf4j.e2e.endurance.cluster;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for a condition by asking for it ten times a second. */
public final class Polling {
    static final Duration PERIOD = Duration.ofMillis(100);

    private Polling() {}

    /** Whether the condition comes true within this time. */
    public static boolean waits(Duration patience, BooleanSupplier condition) {
        long end = System.nanoTime() + patience.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end || Thread.currentThread().isInterrupted()) {
                return false;
            }
            LockSupport.parkNanos(PERIOD.toNanos());
        }
        return true;
    }
}
