package dev.kopf4j;

import java.time.Duration;
import java.util.Set;

/**
 * The sign for a daemon that it should stop: because its object is being deleted, its filters do not match any more, or
 * the operator pauses or ends. Once set, it stays set. It is one and the same for all attempts of a daemon, and is set
 * also when the daemon, or the call of a timer, has ended by itself: so threads of its own can wait for it.
 * Thread-safe. Made by the framework; not to be implemented.
 */
public interface Stopped {
    /** True if the daemon should stop. */
    boolean isSet();

    /**
     * Waits for the sign, instead of {@code Thread.sleep}: ends at once when the daemon should stop.
     *
     * @return true if the daemon should stop, false if the time is over
     * @throws InterruptedException if the daemon is stopped by force
     */
    boolean await(Duration timeout) throws InterruptedException;

    /**
     * Waits for the sign, however long it takes.
     *
     * @throws InterruptedException if the daemon is stopped by force
     */
    void await() throws InterruptedException;

    /** All reasons to stop so far; empty if there is none. Immutable. */
    Set<StopReason> reasons();
}
