package dev.kopf4j.engine.daemon;

import dev.kopf4j.StopReason;
import dev.kopf4j.engine.declaration.DeclaredOptions;
import dev.kopf4j.runtime.Deadline;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The stopping of one daemon or timer that is busy: it goes from stage to stage until the daemon ends. Guarded by the
 * monitor of the object's daemons.
 */
final class DaemonStopping {
    private final RunningDaemon running;
    private final DaemonEnvironment environment;
    private final CancellationTimes cancellationTimes;
    private final Deadline since;
    private final EnumSet<StopReason> reasons = EnumSet.noneOf(StopReason.class);
    private boolean begun;
    /** When it was interrupted first; null if it was not. */
    private @Nullable Deadline interrupted;

    DaemonStopping(RunningDaemon running, DaemonEnvironment environment) {
        this.running = running;
        this.environment = environment;
        this.cancellationTimes =
                CancellationTimes.of(running.options(), environment.settings().cancellationPolling());
        this.since = environment.now();
    }

    Set<StopReason> reasons() {
        return Collections.unmodifiableSet(EnumSet.copyOf(reasons));
    }

    void add(StopReason reason) {
        reasons.add(reason);
        running.signal(reasons());
    }

    /** Begins a moment after the request, as most daemons end at once. */
    void begin() {
        if (!begun) {
            begun = true;
            later(environment.instantExit());
        }
    }

    private void later(Duration delay) {
        var _ = environment.actionSchedule().after(delay, this::goOn);
    }

    /** In the schedule's task, not under the monitor. */
    private void goOn() {
        Runnable report = running.monitor().locked(() -> running.hasEnded() ? () -> {} : nextStage());
        report.run();
    }

    private Runnable nextStage() {
        return switch (cancellationTimes.at(timeSince(since), interrupted == null ? null : timeSince(interrupted))) {
            case CancellationTimes.Stage.Asked(Duration left) -> {
                add(StopReason.DAEMON_SIGNALLED);
                later(left);
                yield () -> running.logger().debug("{} is signalled to exit gracefully.", running.handler());
            }
            case CancellationTimes.Stage.Forced(Duration left) -> {
                add(StopReason.DAEMON_CANCELLED);
                interrupted = interrupted == null ? environment.now() : interrupted;
                later(left);
                DaemonAttempt daemonAttempt = running.daemonAttempt();
                if (daemonAttempt != null) {
                    daemonAttempt.interruptCall();
                }
                yield () -> running.logger().debug("{} is signalled to exit by force.", running.handler());
            }
            case CancellationTimes.Stage.Awaited(Duration next) -> {
                later(next);
                yield () -> running.logger()
                        .debug(
                                "{} is still exiting. The next check is in {} seconds.",
                                running.handler(),
                                next.toSeconds());
            }
            case CancellationTimes.Stage.Abandoned() -> abandon();
        };
    }

    /** Leaves it behind; returns what to report, not under the monitor. */
    Runnable abandon() {
        add(StopReason.DAEMON_ABANDONED);
        running.abandon();
        DaemonAttempt daemonAttempt = running.daemonAttempt();
        Duration age = timeSince(since);
        return () -> running.logger()
                .warn(
                        "{} did not exit in time. Leaving it orphaned. It was asked to stop {} seconds ago ({}).{}",
                        running.handler(),
                        age.toSeconds(),
                        reasons(),
                        daemonAttempt == null ? "" : " It is at:\n" + daemonAttempt.stack());
    }

    /** When it comes to its last stage, as far as it is known by now. */
    Deadline end() {
        Deadline first = interrupted;
        Duration timeout = cancellationTimes.timeout();
        return first == null || timeout == null ? since.plus(cancellationTimes.all()) : first.plus(timeout);
    }

    private Duration timeSince(Deadline moment) {
        return Duration.ofNanos(environment.platform().nanos() - moment.nanos());
    }

    /**
     * When which stage of {@link DaemonStopping} comes, by the daemon's cancellation backoff and timeout: it is first
     * asked, then interrupted, then left behind if it has a timeout; otherwise it is waited for, however long it takes.
     * None is left behind that was not interrupted before, and given its time, however late anybody looks. Timers are
     * only waited for. Pure.
     *
     * @param backoff how long it may take to end by itself; zero for no such stage
     * @param timeout how long it may take to end after it was interrupted; null to never interrupt it
     * @param polling how often it is reported that it does not end
     */
    record CancellationTimes(Duration backoff, @Nullable Duration timeout, Duration polling) {
        static CancellationTimes of(DeclaredOptions options, Duration polling) {
            Duration backoff = options.cancellationBackoff();
            Duration own = options.cancellationPolling();
            return new CancellationTimes(
                    backoff == null ? Duration.ZERO : backoff,
                    options.cancellationTimeout(),
                    own == null ? polling : own);
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

        /**
         * The stage.
         *
         * @param age the time since the request to stop
         * @param interrupted the time since it was interrupted; null if it was not
         */
        Stage at(Duration age, @Nullable Duration interrupted) {
            if (age.compareTo(backoff) < 0) {
                return new Stage.Asked(backoff.minus(age));
            }
            if (timeout == null) {
                return new Stage.Awaited(polling);
            }
            if (interrupted == null) {
                return new Stage.Forced(timeout);
            }
            Duration left = timeout.minus(interrupted);
            return left.isPositive() ? new Stage.Forced(left) : new Stage.Abandoned();
        }

        /** How long it takes to come to the last stage. */
        Duration all() {
            return timeout == null ? backoff : backoff.plus(timeout);
        }
    }
}
