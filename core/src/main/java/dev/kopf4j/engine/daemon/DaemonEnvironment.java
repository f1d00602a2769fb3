package dev.kopf4j.engine.daemon;

import dev.kopf4j.OperatorSettings;
import dev.kopf4j.engine.daemon.OperatorDaemons.DaemonPatchWriter;
import dev.kopf4j.engine.steps.StepEnvironment;
import dev.kopf4j.runtime.ActionSchedule;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import java.time.Duration;
import java.util.Objects;
import java.util.function.IntFunction;

/**
 * What all daemons and timers of an operator share. Thread-safe.
 *
 * @param platform clocks and tasks
 * @param actionSchedule where they wait
 * @param calls calls the user's code
 * @param writer writes their changes
 * @param steps what their steps need
 * @param retryDelay the pause before changes are written again, by the number of earlier failures
 * @param settings how long they are waited for
 */
record DaemonEnvironment(
        Platform platform,
        ActionSchedule actionSchedule,
        DaemonCalls calls,
        DaemonPatchWriter writer,
        StepEnvironment steps,
        IntFunction<Duration> retryDelay,
        OperatorSettings.Background settings) {
    /** How long to wait for daemons that end at once, unless the settings say otherwise. */
    private static final Duration INSTANT_EXIT = Duration.ofMillis(10);

    /** How long to wait for daemons that were asked to stop, before anything else is done about them. */
    Duration instantExit() {
        return Objects.requireNonNullElse(settings.instantExitTimeout(), INSTANT_EXIT);
    }

    /** This moment. */
    Deadline now() {
        return after(Duration.ZERO);
    }

    Deadline after(Duration delay) {
        return platform.after(delay);
    }

    boolean hasPassed(Deadline deadline) {
        return deadline.hasPassed(platform);
    }
}
