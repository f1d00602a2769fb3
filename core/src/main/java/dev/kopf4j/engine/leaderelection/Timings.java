package dev.kopf4j.engine.leaderelection;

import dev.kopf4j.OperatorException;
import dev.kopf4j.OperatorSettings;
import dev.kopf4j.text.DurationText;
import java.time.Duration;

/**
 * The times of an election. Immutable.
 *
 * @param leaseDuration how long others wait without a renewal
 * @param renewDeadline how long the leader goes on without one
 * @param retryPeriod the time between attempts
 */
public record Timings(Duration leaseDuration, Duration renewDeadline, Duration retryPeriod) {
    /** Refuses what would give two leaders, or none. */
    public Timings {
        if (leaseDuration.compareTo(Duration.ofSeconds(1)) < 0
                || renewDeadline.compareTo(leaseDuration) >= 0
                || retryPeriod.compareTo(renewDeadline) >= 0
                || retryPeriod.isZero()
                || retryPeriod.isNegative()) {
            throw new OperatorException(
                    "settings.leaderElection() makes no sense: leaseDuration " + DurationText.format(leaseDuration)
                            + " must be longer than renewDeadline " + DurationText.format(renewDeadline)
                            + ", which must be longer than retryPeriod "
                            + DurationText.format(retryPeriod) + "; the lease lasts one second at the least.");
        }
    }

    /**
     * Those of the settings.
     *
     * @throws OperatorException if they would give two leaders, or none
     */
    public static Timings of(OperatorSettings.LeaderElection settings) {
        return new Timings(
                Duration.ofSeconds(settings.leaseDuration().toSeconds()),
                settings.renewDeadline(),
                settings.retryPeriod());
    }

    /**
     * For how long after the sending of a renewal requests may begin: between the end of the renewals, when work comes
     * to its end, and the end of the lease. What is left is for clocks that run at different speeds.
     */
    public Duration writing() {
        return renewDeadline.plus(leaseDuration.minus(renewDeadline).dividedBy(2));
    }
}
