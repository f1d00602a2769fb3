package dev.kopf4j.testing;

import java.time.Duration;
import java.time.Instant;

/** The clock of a test in virtual time. Confined to the test's thread. Made by the framework; not to be implemented. */
public interface TestClock {
    /**
     * Lets this much time pass: whatever is due meanwhile happens, in its order. Returns when the time has come, and
     * all wait.
     *
     * @throws IllegalStateException if a handler leaves the simulation: by a socket, a thread or a sleep of its own
     */
    void advance(Duration time);

    /** The time of operator and cluster. */
    Instant now();
}
