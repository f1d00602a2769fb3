package dev.kopf4j.engine.leading;

import dev.kopf4j.OperatorException;
import dev.kopf4j.OperatorSettings;
import java.time.Duration;

/**
 * The times of an election. Immutable.
 *
 * @param lease how long others wait without a renewal
 * @param renewal how long the leader goes on without one
 * @param retry the time between attempts
 */
record Terms(Duration lease, Duration renewal, Duration retry) {
    /** Refuses what would give two leaders, or none. */
    Terms {
        if (lease.compareTo(Duration.ofSeconds(1)) < 0
                || renewal.compareTo(lease) >= 0
                || retry.compareTo(renewal) >= 0
                || retry.isZero()
                || retry.isNegative()) {
            throw new OperatorException("settings.leaderElection() makes no sense: leaseDuration " + lease
                    + " must be longer than renewDeadline " + renewal + ", which must be longer than retryPeriod "
                    + retry + "; the lease lasts one second at the least.");
        }
    }

    static Terms of(OperatorSettings.LeaderElection settings) {
        return new Terms(
                Duration.ofSeconds(settings.leaseDuration().toSeconds()),
                settings.renewDeadline(),
                settings.retryPeriod());
    }

    /**
     * For how long after the sending of a renewal requests may begin: between the end of the renewals, when work comes
     * to its end, and the end of the lease. What is left is for clocks that run at different speeds.
     */
    Duration writing() {
        return renewal.plus(lease.minus(renewal).dividedBy(2));
    }
}
