package dev.kopf4j.runtime;

import java.time.Duration;
import java.time.Instant;
import java.util.random.RandomGenerator;

/**
 * What a program needs from the machine it runs on: clocks, tasks, waiting, randomness.
 *
 * <p>Thread-safe. Implementations: {@link SystemPlatform}, {@link SimulatedPlatform}.
 */
public interface Platform {
    /** The wall clock, for what is written down: records, events, logs. May jump. */
    Instant now();

    /** The monotonic clock in nanoseconds, for measuring and for deadlines. Its origin means nothing. */
    long nanos();

    /** The moment that is {@code delay} from now on the monotonic clock; a negative delay has passed already. */
    default Deadline after(Duration delay) {
        return Deadline.at(nanos(), delay);
    }

    /**
     * Starts {@code body} in a task of its own.
     *
     * @param name who this is, for thread dumps and messages
     * @param body what to run; an exception that escapes it is logged as a defect
     */
    Task spawn(String name, Runnable body);

    /**
     * Lets tasks that could run go first, such as one that was just spawned: where it ends at once, nobody has to be
     * woken up at its end. A hint, which needs no obedience.
     */
    default void letOthersRun() {}

    /** A new lock with the single waiting primitive. */
    Monitor monitor();

    /** Where all chance comes from: jitter, generated names, shuffling. */
    RandomGenerator random();

    /**
     * Waits for the time to pass.
     *
     * @throws InterruptedException if the task is interrupted before or meanwhile
     */
    default void sleep(Duration duration) throws InterruptedException {
        monitor().awaitTrue(() -> false, after(duration));
    }
}
