package dev.kopf4j.runtime;

import java.time.Duration;

/**
 * The pauses between attempts of what somebody else has to make possible: a second at first, each twice as long as the
 * one before, a minute at most. Confined.
 */
public final class GrowingPause {
    private static final Duration FIRST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofMinutes(1);

    private Duration next = FIRST;

    /** How long the next pause is. */
    public Duration next() {
        return next;
    }

    /** Makes the pause; the one after it is longer. */
    public void make(Platform platform) throws InterruptedException {
        Duration present = next;
        grow();
        platform.sleep(present);
    }

    /** The pause is made by somebody else; the one after it is longer. */
    public void grow() {
        Duration doubled = next.multipliedBy(2);
        next = doubled.compareTo(LONGEST) < 0 ? doubled : LONGEST;
    }

    /** All is well: the next pause is the first one again. */
    public void reset() {
        next = FIRST;
    }
}
