package dev.kopf4j.client.watching;

import dev.kopf4j.runtime.Platform;
import java.time.Duration;

/** Delays that double from one failure to the next, with jitter, up to a bound. Confined to a task. */
final class ReconnectBackoff {
    private static final int DOUBLINGS_MAX = 30;

    private final Platform platform;
    private final Duration first;
    private final Duration longest;
    private int failures;

    ReconnectBackoff(Platform platform, Duration first, Duration longest) {
        this.platform = platform;
        this.first = first;
        this.longest = longest;
    }

    /** All is well again: the next failure begins with the first delay. */
    void reset() {
        failures = 0;
    }

    /** The next delay, between 75% and 125% of the doubled one, never above the bound. */
    Duration next() {
        double doubled = first.toNanos() * Math.pow(2, Math.min(failures, DOUBLINGS_MAX));
        failures++;
        double jittered = Math.min(doubled, (double) longest.toNanos())
                * (0.75 + platform.random().nextDouble() / 2);
        return Duration.ofNanos(Math.min((long) jittered, longest.toNanos()));
    }
}
