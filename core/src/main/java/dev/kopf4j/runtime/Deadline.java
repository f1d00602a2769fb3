package dev.kopf4j.runtime;

import java.time.Duration;

/**
 * A moment of the monotonic clock at which a wait ends. Immutable.
 *
 * @param nanos the reading of {@link Platform#nanos} at that moment
 */
public record Deadline(long nanos) implements Comparable<Deadline> {
    /** A wait without an end. */
    public static final Deadline NEVER = new Deadline(Long.MAX_VALUE);

    private static final Duration LONGEST = Duration.ofDays(365L * 100);

    /**
     * Returns the moment {@code delay} after the reading {@code nanos}; never for delays beyond a century, at most a
     * century before for negative ones.
     */
    public static Deadline at(long nanos, Duration delay) {
        if (delay.compareTo(LONGEST) > 0) {
            return NEVER;
        }
        Duration least = LONGEST.negated();
        return new Deadline(nanos + (delay.compareTo(least) < 0 ? least : delay).toNanos());
    }

    /** True if the moment never comes. */
    public boolean isNever() {
        return nanos == Long.MAX_VALUE;
    }

    /** True if the moment has come. */
    public boolean hasPassed(Platform platform) {
        return !isNever() && platform.nanos() - nanos >= 0;
    }

    /** Returns the time that remains: zero if the moment has come, a century if it never comes. */
    public Duration remaining(Platform platform) {
        return isNever() ? LONGEST : Duration.ofNanos(Math.max(0, nanos - platform.nanos()));
    }

    /** Returns the moment that is later by this time; never if this one is never, or the time is beyond a century. */
    public Deadline plus(Duration time) {
        return isNever() ? NEVER : at(nanos, time);
    }

    /** Returns the earlier one of two moments. */
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
