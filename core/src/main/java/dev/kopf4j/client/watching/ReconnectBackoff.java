package dev.kopf4j.client.watching;

import dev.kopf4j.runtime.Platform;
import java.time.Duration;

/** Delays between failed watches. They double with each failure, with jitter, up to a bound. Confined to a task. */
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

    /** The watch was healthy: the next failure gets the first delay. */
    void reset() {
        failures = 0;
    }

    /** Returns the next delay: between 75% and 125% of the doubled one, and never above the bound. */
    Duration next() {
        double doubled = first.toNanos() * Math.pow(2, Math.min(failures, DOUBLINGS_MAX));
        failures++;
        double jittered = Math.min(doubled, (double) longest.toNanos())
                * (0.75 + platform.random().nextDouble() / 2);
        return Duration.ofNanos(Math.min((long) jittered, longest.toNanos()));
    }
}
