package dev.kopf4j.engine.processing;

import java.time.Duration;
import java.util.List;

/**
 * How long to wait after errors in a row. Immutable.
 *
 * @param delays after the first one, the second one, and so on; the last one holds for all further ones
 */
record ErrorDelays(List<Duration> delays) {
    private static final Duration CONFLICT = Duration.ofSeconds(1);

    /** Before a change is tried again that has met a newer one; counted from 0. */
    Duration ofConflict(int step) {
        return delays.isEmpty() ? CONFLICT : at(step);
    }

    /**
     * Before the object is looked at again after an unexpected error; counted from 0, zero if it is not to be held up.
     */
    Duration ofError(int step) {
        return delays.isEmpty() ? Duration.ZERO : at(step);
    }

    private Duration at(int step) {
        return delays.get(Math.min(step, delays.size() - 1));
    }
}
