package dev.kopf4j.engine.daemon;

import dev.kopf4j.OperatorSettings;
import dev.kopf4j.client.error.ClientException;
import dev.kopf4j.engine.call.HandlerCalls;
import dev.kopf4j.engine.daemon.OperatorDaemons.DaemonPatchWriter;
import dev.kopf4j.engine.steps.StepEnvironment;
import dev.kopf4j.runtime.ActionSchedule;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.FailureSums;
import dev.kopf4j.runtime.FailureSums.Telling;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.text.DurationText;
import java.time.Duration;
import java.util.Objects;
import java.util.function.IntFunction;
import org.slf4j.Logger;

/**
 * What all daemons and timers of an operator share. Thread-safe.
 *
 * @param actionSchedule where they wait
 * @param calls how handlers are called
 * @param writer writes their changes
 * @param steps what their steps need
 * @param retryDelay the pause before changes are written again, and before an attempt that could not be brought to its
 *     end is made again, by the number of earlier failures
 * @param settings how long they are waited for
 * @param writeReport tells of changes that could not be written
 */
record DaemonEnvironment(
        ActionSchedule actionSchedule,
        HandlerCalls calls,
        DaemonPatchWriter writer,
        StepEnvironment steps,
        IntFunction<Duration> retryDelay,
        OperatorSettings.Background settings,
        WriteReport writeReport) {
    /** How long to wait for daemons that end at once, unless the settings say otherwise. */
    private static final Duration INSTANT_EXIT = Duration.ofMillis(10);

    /** Clocks and tasks. */
    Platform platform() {
        return calls.platform();
    }

    /** How long to wait for daemons that were asked to stop, before anything else is done about them. */
    Duration instantExit() {
        return Objects.requireNonNullElse(settings.instantExitTimeout(), INSTANT_EXIT);
    }

    /** This moment. */
    Deadline now() {
        return after(Duration.ZERO);
    }

    Deadline after(Duration delay) {
        return platform().after(delay);
    }

    boolean hasPassed(Deadline deadline) {
        return deadline.hasPassed(platform());
    }

    /** How long an interrupted call may take to end before it is left behind. */
    Duration interruptGrace() {
        return calls.runner().interruptGrace();
    }

    /** Tells of writes that are made again. What meets all objects alike comes in sums. Thread-safe. */
    static final class WriteReport {
        private static final int TOLD_BY_THEMSELVES = 5;

        private final FailureSums failures;

        WriteReport(Platform platform) {
            this.failures = new FailureSums(platform, TOLD_BY_THEMSELVES);
        }

        void failed(Logger logger, ClientException failure, String line) {
            Telling telling = failure.mayMeetAll() ? failures.failed() : new Telling.ByItself();
            switch (telling) {
                case Telling.ByItself() -> logger.error(line);
                case Telling.InSum(int times, Duration within) ->
                    logger.error(
                            "K4-025: {} more times within {}, changes of daemons and timers could not be written; now"
                                    + " these: {}",
                            times,
                            DurationText.format(within),
                            line);
                case Telling.Later() -> logger.debug(line);
            }
        }

        void succeeded(Logger logger) {
            int over = failures.succeeded();
            if (over > TOLD_BY_THEMSELVES) {
                logger.info("Changes of daemons and timers are written again, after {} writes that failed.", over);
            }
        }
    }
}
