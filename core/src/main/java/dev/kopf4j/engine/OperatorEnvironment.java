package dev.kopf4j.engine;

import dev.kopf4j.engine.tracing.OperatorTrace;
import dev.kopf4j.runtime.Platform;

/**
 * What an operator runs on: the real machine and cluster, or simulated ones.
 *
 * @param platform time, tasks, waiting, chance
 * @param access the way to the cluster
 * @param trace who is told of each step
 */
public record OperatorEnvironment(Platform platform, ClusterAccess access, OperatorTrace trace) {
    /** An environment in which nobody is told of each step. */
    public OperatorEnvironment(Platform platform, ClusterAccess access) {
        this(platform, access, OperatorTrace.NONE);
    }
}
