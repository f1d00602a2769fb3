package dev.kopf4j.engine;

import dev.kopf4j.runtime.Platform;

/**
 * What an operator runs on: the real machine and cluster, or simulated ones.
 *
 * @param platform time, tasks, waiting, chance
 * @param access the way to the cluster
 */
public record OperatorEnvironment(Platform platform, ClusterAccess access) {}
