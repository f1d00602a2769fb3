package dev.kopf4j.engine.daemon;

import dev.kopf4j.engine.steps.StepEnvironment;
import dev.kopf4j.runtime.ActionSchedule;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import java.time.Duration;
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
 * @param polling how often it is reported that a daemon has not ended yet
 * @param instantExit how long to wait for daemons that were asked to stop, before anything else is done about them
 */
record DaemonEnvironment(
        Platform platform,
        ActionSchedule actionSchedule,
        DaemonCalls calls,
        DaemonPatchWriter writer,
        StepEnvironment steps,
        IntFunction<Duration> retryDelay,
        Duration polling,
        Duration instantExit) {
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
