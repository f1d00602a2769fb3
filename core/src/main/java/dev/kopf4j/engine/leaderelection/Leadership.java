package dev.kopf4j.engine.leaderelection;

import dev.kopf4j.OperatorSettings;
import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.request.LeadershipFence;
import dev.kopf4j.engine.peering.OperatorPauses;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.Task;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Whether this replica leads: for as long as it does, the operator acts, and its requests pass the fence. Without an
 * election it always does. Thread-safe.
 */
public final class Leadership implements LeadershipFence {
    private final Platform platform;
    private final @Nullable LeaderElector elector;
    private @Nullable Task task;

    private Leadership(Platform platform, @Nullable LeaderElector elector) {
        this.platform = platform;
        this.elector = elector;
    }

    /**
     * Prepares an election, and pauses the operator until it is won; if the settings want none, nothing is done.
     *
     * @throws dev.kopf4j.OperatorException if the settings make no sense
     */
    public static Leadership of(
            Platform platform,
            KubernetesApi api,
            OperatorSettings.LeaderElection settings,
            OperatorPauses operatorPauses)
            throws InterruptedException {
        if (!settings.enabled()) {
            return new Leadership(platform, null);
        }
        LeaderElectionTimings leaderElectionTimings = LeaderElectionTimings.of(settings);
        String given = settings.leaseNamespace();
        String namespace = given == null ? api.defaultNamespace() : given;
        Duration attempt = leaderElectionTimings.renewDeadline().dividedBy(2);
        KubernetesApi hasty = api.with(api.settings().withErrorBackoffs().withRequestTimeout(attempt));
        LeaseStore store = new LeaseStore(hasty, namespace, settings.leaseName());
        OperatorPauses.Toggle toggle = operatorPauses.paused(null, "this replica does not lead");
        return new Leadership(
                platform,
                new LeaderElector(platform, hasty, store, leaderElectionTimings, identity(platform, settings), toggle));
    }

    /** Makes the identity unique even if several processes are given the same one. */
    private static String identity(Platform platform, OperatorSettings.LeaderElection settings) {
        String given = settings.identity();
        String name = given == null ? System.getenv().getOrDefault("HOSTNAME", "kopf4j") : given;
        return name + "_" + Long.toHexString(platform.random().nextLong());
    }

    /** Takes part from now on. */
    public synchronized void begin() {
        if (elector != null) {
            task = platform.spawn("leader election", elector);
        }
    }

    @Override
    public Deadline until() {
        return elector == null ? Deadline.NEVER : elector.writeDeadline();
    }

    /**
     * Takes no part any more.
     *
     * @param idle true if all work has ended: only then somebody else may take over at once
     */
    public synchronized void end(boolean idle) throws InterruptedException {
        if (elector != null && task != null) {
            task.interrupt();
            task.join(Deadline.NEVER);
            if (idle) {
                elector.release();
            }
        }
    }
}
