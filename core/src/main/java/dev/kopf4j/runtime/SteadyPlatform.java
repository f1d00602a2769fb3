package dev.kopf4j.runtime;

import java.time.Duration;
import java.time.Instant;
import java.util.random.RandomGenerator;

/**
 * Another platform with a clock that is never set: it shows the wall-clock time of the beginning, and what has passed
 * since by {@link #nanos}. For times that are compared with each other in this process alone, so that a step of the
 * wall clock neither ends a wait nor prolongs it. Thread-safe.
 *
 * @param platform does all the rest
 * @param begun the wall-clock time at the beginning
 * @param begunNanos the same by {@link #nanos}
 */
public record SteadyPlatform(Platform platform, Instant begun, long begunNanos) implements Platform {
    /** The clock begins now. */
    public static SteadyPlatform of(Platform platform) {
        return new SteadyPlatform(platform, platform.now(), platform.nanos());
    }

    @Override
    public Instant now() {
        return begun.plusNanos(nanos() - begunNanos);
    }

    @Override
    public long nanos() {
        return platform.nanos();
    }

    @Override
    public Deadline after(Duration delay) {
        return platform.after(delay);
    }

    @Override
    public Task spawn(String name, Runnable body) {
        return platform.spawn(name, body);
    }

    @Override
    public void letOthersRun() {
        platform.letOthersRun();
    }

    @Override
    public Monitor monitor() {
        return platform.monitor();
    }

    @Override
    public RandomGenerator random() {
        return platform.random();
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
        platform.sleep(duration);
    }
}
