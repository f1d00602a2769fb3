package dev.kopf4j.engine.observation;

import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import java.time.Duration;

/** When the resources are looked up again by themselves: after growing pauses as long as some are missing. Confined. */
final class DiscoveryBackoff {
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

    private final Platform platform;
    private Duration pause = Duration.ZERO;
    private boolean incomplete;

    DiscoveryBackoff(Platform platform) {
        this.platform = platform;
    }

    /** When to look again, counted from now; never if all is known. */
    Deadline due() {
        return incomplete ? platform.after(pause) : Deadline.NEVER;
    }

    /** The pause before the next look. */
    Duration pause() {
        return pause;
    }

    /** Everything is known. */
    void complete() {
        incomplete = false;
    }

    /**
     * Something is missing.
     *
     * @param first the pause if everything was known before; otherwise the last pause doubles
     */
    void incomplete(Duration first) {
        Duration doubled = pause.multipliedBy(2);
        pause = incomplete ? (doubled.compareTo(LONGEST_PAUSE) < 0 ? doubled : LONGEST_PAUSE) : first;
        incomplete = true;
    }
}
