package dev.kopf4j.benchmarks;

import dev.kopf4j.runtime.Platform;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How late timers are called. The first call of each timer sets its grid, and does not count. Thread-safe while calls
 * come.
 */
final class TimerDelays {
    private final Platform platform;
    private final Duration interval;
    private final AtomicLongArray first;
    private final long[] delays;
    private final AtomicInteger count = new AtomicInteger();

    /**
     * None yet.
     *
     * @param interval of all timers
     * @param timers how many there are; the objects end with their numbers, from 0
     * @param rounds how many calls of each count
     */
    TimerDelays(Platform platform, Duration interval, int timers, int rounds) {
        this.platform = platform;
        this.interval = interval;
        this.first = new AtomicLongArray(timers);
        this.delays = new long[timers * rounds];
    }

    /** The timer of this object is called. From any thread. */
    void called(String name) {
        long now = platform.nanos();
        int pod = Integer.parseInt(name.substring(name.indexOf('-') + 1));
        long begin = first.get(pod);
        first.compareAndSet(pod, 0, now);
        int index = begin == 0 ? delays.length : count.getAndIncrement();
        if (index < delays.length) {
            long passed = (now - begin) % interval.toNanos();
            delays[index] = passed > interval.toNanos() / 2 ? 0 : passed;
        }
    }

    /** The delay in milliseconds that this share of the calls stays below. */
    double millis(double share) {
        int known = Math.min(count.get(), delays.length);
        long[] sorted = Arrays.copyOf(delays, known);
        Arrays.sort(sorted);
        return known == 0 ? 0 : sorted[Math.min(known - 1, (int) (known * share))] / 1e6;
    }
}
