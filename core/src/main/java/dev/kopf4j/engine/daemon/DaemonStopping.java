package dev.kopf4j.engine.daemon;

import dev.kopf4j.StopReason;
import dev.kopf4j.runtime.Deadline;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

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

    DaemonStopping(RunningDaemon running, DaemonEnvironment environment) {
        this.running = running;
        this.environment = environment;
        this.cancellationTimes = CancellationTimes.of(running.options(), environment.polling());
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
        return switch (cancellationTimes.at(age())) {
            case CancellationTimes.Stage.Asked(Duration left) -> {
                add(StopReason.DAEMON_SIGNALLED);
                later(left);
                yield () -> running.logger().debug("{} is signalled to exit gracefully.", running.handler());
            }
            case CancellationTimes.Stage.Forced(Duration left) -> {
                add(StopReason.DAEMON_CANCELLED);
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
        Duration age = age();
        return () -> running.logger()
                .warn(
                        "{} did not exit in time. Leaving it orphaned. It was asked to stop {} seconds ago ({}).{}",
                        running.handler(),
                        age.toSeconds(),
                        reasons(),
                        daemonAttempt == null ? "" : " It is at:\n" + daemonAttempt.stack());
    }

    /** When it comes to its last stage. */
    Deadline end() {
        return since.plus(cancellationTimes.all());
    }

    private Duration age() {
        return Duration.ofNanos(environment.platform().nanos() - since.nanos());
    }
}
