package dev.kopf4j.engine.orchestration;

import dev.kopf4j.Resource;
import dev.kopf4j.StreamState;
import dev.kopf4j.engine.queueing.ObjectReport;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a stream and its objects are doing at a moment, for people. Immutable.
 *
 * @param namespace the namespace that is watched; null for the whole cluster
 * @param objects those that this replica acts on
 */
public record StreamReport(
        Resource resource, @Nullable String namespace, StreamState state, List<ObjectReport> objects) {}
