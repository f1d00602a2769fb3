package dev.kopf4j.runtime;

import java.time.Duration;

/**
 * What the log gets of a failure that comes again and again, be it at one place or for thousands of objects at the same
 * time: the first ones by themselves, then sums at growing intervals, and the end, when all has been well for a minute.
 * Thread-safe.
 */
public final class FailureSums {
    private static final Duration QUIET = Duration.ofMinutes(1);
    private static final Duration APART_MAX = Duration.ofMinutes(16);

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
            untold = 0;
            apart = QUIET;
            nextSum = platform.after(apart);
        }
        if (total <= toldByThemselves) {
            return new Telling.ByItself();
        }
        untold++;
        if (!nextSum.hasPassed(platform)) {
            return new Telling.Later();
        }
        Telling sum = new Telling.InSum(untold, apart);
        untold = 0;
        Duration doubled = apart.multipliedBy(2);
        apart = doubled.compareTo(APART_MAX) < 0 ? doubled : APART_MAX;
        nextSum = platform.after(apart);
        return sum;
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
