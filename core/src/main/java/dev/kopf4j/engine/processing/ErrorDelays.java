package dev.kopf4j.engine.processing;

import java.time.Duration;
import java.util.Iterator;

/**
 * How long to wait after errors in a row. Immutable.
 *
 * @param delays after the first one, the second one, and so on; the last one, if there is one, holds for all further
 *     ones
 */
public record ErrorDelays(Iterable<Duration> delays) {
    private static final Duration CONFLICT = Duration.ofSeconds(1);

    /** The pause before a change that conflicted is tried again, by the number of earlier conflicts. */
    public Duration ofConflict(int step) {
        return at(step, CONFLICT);
    }

    /** The pause after an unexpected error, by the number of errors before it; zero for no pause. */
    Duration ofError(int step) {
        return at(step, Duration.ZERO);
    }

    private Duration at(int step, Duration otherwise) {
        Duration delay = otherwise;
        Iterator<Duration> iterator = delays.iterator();
        for (int i = 0; i <= step && iterator.hasNext(); i++) {
            delay = iterator.next();
        }
        return delay;
    }
}
