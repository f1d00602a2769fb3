package dev.kopf4j.runtime;

import java.time.Instant;

/**
 * Another platform with a clock that is never set: it shows the wall-clock time of the beginning, and what has passed
 * since by {@link #nanos}. For times that are compared with each other in this process alone, so that a step of the
 * wall clock neither ends a wait nor prolongs it. Thread-safe.
 */
public final class SteadyPlatform extends ForwardingPlatform {
    private final Instant begun;
    private final long begunNanos;

    private SteadyPlatform(Platform platform) {
        super(platform);
        this.begun = platform.now();
        this.begunNanos = platform.nanos();
    }

    /** The clock begins now. */
    public static SteadyPlatform of(Platform platform) {
        return new SteadyPlatform(platform);
    }

    @Override
    public Instant now() {
        return begun.plusNanos(nanos() - begunNanos);
    }
}
