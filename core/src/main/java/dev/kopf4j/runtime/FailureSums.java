package dev.kopf4j.runtime;

import java.time.Duration;

/**
 * What the log gets of a failure that comes again and again, be it at one place or for thousands of objects at the same
 * time: the first ones by themselves, then sums at growing intervals, and the end, when all has been well for a minute.
 * If it becomes ten times as much, a sum comes after a minute: what fails at one place for hours hides no outage.
 * Thread-safe.
 */
public final class FailureSums {
    private static final Duration QUIET = Duration.ofMinutes(1);
    private static final Duration APART_MAX = Duration.ofMinutes(16);
    private static final int MUCH_MORE = 10;

    private final Platform platform;
    private final int toldByThemselves;
    /** Guards what follows. */
    private final Monitor monitor;

    /** True after the first failure, until all has been well for long enough. */
    private volatile boolean failing;
    /** True between a failure and the next success. */
    private boolean broken;

    private int untold;
    private int total;
    private int lastSum;
    private long toldAt;
    private Duration apart = QUIET;
    private Deadline nextSum = Deadline.NEVER;
    private Deadline quietFrom = Deadline.NEVER;

    /**
     * Nothing has failed yet.
     *
     * @param toldByThemselves how many failures are told by themselves before the sums
     */
    public FailureSums(Platform platform, int toldByThemselves) {
        this.platform = platform;
        this.toldByThemselves = toldByThemselves;
        this.monitor = platform.monitor();
    }

    /** How a failure is told. */
    public sealed interface Telling {
        /** By a line of its own. */
        record ByItself() implements Telling {}

        /**
         * As an example of those since the last line.
         *
         * @param times how many these are
         * @param within in which time they came
         */
        record InSum(int times, Duration within) implements Telling {}

        /** Not now: for developers only. */
        record Later() implements Telling {}
    }

    /** Something has failed. */
    public Telling failed() {
        return monitor.locked(this::count);
    }

    private Telling count() {
        quietFrom = platform.after(QUIET);
        broken = true;
        total++;
        if (!failing) {
            failing = true;
            begin();
        }
        if (total <= toldByThemselves) {
            return new Telling.ByItself();
        }
        untold++;
        Duration within =
                Duration.ofSeconds(Duration.ofNanos(platform.nanos() - toldAt).toSeconds());
        boolean muchMore = lastSum > 0 && untold / MUCH_MORE >= lastSum && within.compareTo(QUIET) >= 0;
        if (!muchMore && !nextSum.hasPassed(platform)) {
            return new Telling.Later();
        }
        Telling sum = new Telling.InSum(untold, within);
        if (muchMore) {
            apart = QUIET;
        }
        lastSum = untold;
        untold = 0;
        toldAt = platform.nanos();
        Duration doubled = apart.multipliedBy(2);
        apart = doubled.compareTo(APART_MAX) < 0 ? doubled : APART_MAX;
        nextSum = platform.after(apart);
        return sum;
    }

    private void begin() {
        untold = 0;
        lastSum = 0;
        toldAt = platform.nanos();
        apart = QUIET;
        nextSum = platform.after(apart);
    }

    /**
     * Something has succeeded.
     *
     * @return how many failures are over by now, to be told: a single one at once, repeated ones after a quiet minute;
     *     0 if none are
     */
    public int succeeded() {
        return failing ? monitor.locked(this::end) : 0;
    }

    private int end() {
        int over = broken && total == 1 ? 1 : 0;
        broken = false;
        if (quietFrom.hasPassed(platform)) {
            over = total > 1 ? total : over;
            failing = false;
            total = 0;
        }
        return over;
    }
}
