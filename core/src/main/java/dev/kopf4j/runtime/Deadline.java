package dev.kopf4j.runtime;

import java.time.Duration;

/**
 * A moment of the monotonic clock at which waiting ends. Immutable.
 *
 * @param nanos the reading of {@link Platform#nanos} at that moment
 */
public record Deadline(long nanos) implements Comparable<Deadline> {
    /** Waiting without an end. */
    public static final Deadline NEVER = new Deadline(Long.MAX_VALUE);

    private static final Duration LONGEST = Duration.ofDays(365L * 100);

    /** The moment {@code delay} after the reading {@code nanos}; delays beyond a century count as never. */
    public static Deadline at(long nanos, Duration delay) {
        return delay.compareTo(LONGEST) > 0 ? NEVER : new Deadline(nanos + delay.toNanos());
    }

    /** True if there is no such moment. */
    public boolean isNever() {
        return nanos == Long.MAX_VALUE;
    }

    /** True if the moment has come. */
    public boolean hasPassed(Platform platform) {
        return !isNever() && platform.nanos() - nanos >= 0;
    }

    /** The time left; zero if the moment has come, a century if it never will. */
    public Duration left(Platform platform) {
        return isNever() ? LONGEST : Duration.ofNanos(Math.max(0, nanos - platform.nanos()));
    }

    /** The moment so much later; never, if this one is or the time is beyond a century. */
    public Deadline plus(Duration time) {
        return isNever() ? NEVER : at(nanos, time);
    }

    /** The earlier one of two moments. */
    public Deadline orEarlier(Deadline other) {
        return compareTo(other) <= 0 ? this : other;
    }

    @Override
    public int compareTo(Deadline other) {
        if (isNever() || other.isNever()) {
            return Boolean.compare(isNever(), other.isNever());
        }
        return Long.signum(nanos - other.nanos);
    }
}
