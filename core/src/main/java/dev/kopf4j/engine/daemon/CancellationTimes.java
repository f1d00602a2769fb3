package dev.kopf4j.engine.daemon;

import dev.kopf4j.engine.handling.declaration.BackgroundDeclaration;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * When which stage of {@link DaemonStopping} comes, by the daemon's cancellation backoff and timeout: it is first
 * asked, then interrupted, then left behind if it has a timeout; otherwise it is waited for, however long it takes.
 * Timers are only waited for. Pure.
 *
 * @param backoff how long it may take to end by itself; zero for no such stage
 * @param timeout how long it may take to end after it was interrupted; null to never interrupt it
 * @param polling how often it is reported that it does not end
 */
record CancellationTimes(Duration backoff, @Nullable Duration timeout, Duration polling) {
    static CancellationTimes of(BackgroundDeclaration options, Duration polling) {
        Duration backoff = options.cancellationBackoff();
        Duration own = options.cancellationPolling();
        return new CancellationTimes(
                backoff == null ? Duration.ZERO : backoff, options.cancellationTimeout(), own == null ? polling : own);
    }

    /** The stages of the stopping. */
    sealed interface Stage {
        /** The daemon may still end by itself, within this time. */
        record Asked(Duration left) implements Stage {}

        /** The daemon is interrupted, and may take this time to end. */
        record Forced(Duration left) implements Stage {}

        /** It is left behind. */
        record Abandoned() implements Stage {}

        /** The operator waits for the daemon, and looks again after this time. */
        record Awaited(Duration next) implements Stage {}
    }

    /** The stage when this time has passed since the request to stop. */
    Stage at(Duration age) {
        if (age.compareTo(backoff) < 0) {
            return new Stage.Asked(backoff.minus(age));
        }
        if (timeout == null) {
            return new Stage.Awaited(polling);
        }
        Duration end = backoff.plus(timeout);
        return age.compareTo(end) < 0 ? new Stage.Forced(end.minus(age)) : new Stage.Abandoned();
    }

    /** How long it takes to come to the last stage. */
    Duration all() {
        return timeout == null ? backoff : backoff.plus(timeout);
    }
}
