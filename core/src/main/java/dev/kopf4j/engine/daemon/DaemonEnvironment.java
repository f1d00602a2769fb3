package dev.kopf4j.engine.daemon;

import dev.kopf4j.engine.handling.invocation.DaemonCalls;
import dev.kopf4j.runtime.ActionSchedule;
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
 * @param retryDelay the pause before changes are written again, by the number of failures before
 * @param polling how often those are reported that do not end
 * @param instantExit how long those that are asked to stop may take before anything else is done about it
 */
record DaemonEnvironment(
        Platform platform,
        ActionSchedule actionSchedule,
        DaemonCalls calls,
        DaemonPatchWriter writer,
        IntFunction<Duration> retryDelay,
        Duration polling,
        Duration instantExit) {}
