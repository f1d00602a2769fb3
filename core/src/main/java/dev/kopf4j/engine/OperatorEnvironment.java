package dev.kopf4j.engine;

import dev.kopf4j.engine.tracing.OperatorTrace;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.webhook.WebhookServer;
import org.jspecify.annotations.Nullable;

/**
 * What an operator runs on: the real machine and cluster, or simulated ones.
 *
 * @param platform time, tasks, waiting, chance
 * @param access the way to the cluster
 * @param trace who is told of each step
 * @param webhooks receives the webhooks, whatever the settings say; null for what they say
 * @param alone whether it takes part in no peering, whatever the settings say
 */
public record OperatorEnvironment(
        Platform platform,
        ClusterAccess access,
        OperatorTrace trace,
        @Nullable WebhookServer webhooks,
        boolean alone) {
    /** The same on another platform. */
    OperatorEnvironment on(Platform other) {
        return new OperatorEnvironment(other, access, trace, webhooks, alone);
    }

    /** The same without a peering: a copy of a cluster has no peers, which would be waited for. */
    public OperatorEnvironment withoutPeers() {
        return new OperatorEnvironment(platform, access, trace, webhooks, true);
    }

    /** An environment in which an operator takes part in peerings as the settings say. */
    public OperatorEnvironment(
            Platform platform, ClusterAccess access, OperatorTrace trace, @Nullable WebhookServer webhooks) {
        this(platform, access, trace, webhooks, false);
    }

    /** An environment in which webhooks come as the settings say. */
    public OperatorEnvironment(Platform platform, ClusterAccess access, OperatorTrace trace) {
        this(platform, access, trace, null);
    }

    /** An environment in which nobody is told of each step. */
    public OperatorEnvironment(Platform platform, ClusterAccess access) {
        this(platform, access, OperatorTrace.NONE);
    }
}
