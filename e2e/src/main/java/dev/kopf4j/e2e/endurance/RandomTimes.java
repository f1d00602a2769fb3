package dev.kopf4j.e2e.endurance;

import java.time.Duration;
import java.util.OptionalInt;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

/**
 * Draws how long to wait.
 *
 * @param seconds how long disturbances last, if that is not drawn
 */
record RandomTimes(Random random, OptionalInt seconds) {
    /** How long a disturbance lasts: as the plan says, or else between these. */
    Duration length(int leastMillis, int mostMillis) {
        Duration drawn = time(leastMillis, mostMillis);
        return seconds.isPresent() ? Duration.ofSeconds(seconds.getAsInt()) : drawn;
    }

    /** Waits between so many milliseconds. */
    void pause(int leastMillis, int mostMillis) {
        LockSupport.parkNanos(time(leastMillis, mostMillis).toNanos());
    }

    /** A time between these. */
    Duration time(int leastMillis, int mostMillis) {
        return Duration.ofMillis(random.nextInt(leastMillis, mostMillis + 1));
    }
}
