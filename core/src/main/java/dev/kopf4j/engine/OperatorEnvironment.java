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
 */
public record OperatorEnvironment(
        Platform platform,
        ClusterAccess access,
        OperatorTrace trace,
        @Nullable WebhookServer webhooks) {
    /** The same on another platform. */
    OperatorEnvironment on(Platform other) {
        return new OperatorEnvironment(other, access, trace, webhooks);
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
