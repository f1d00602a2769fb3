package dev.kopf4j.devcluster.strategy.core;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.strategy.DeletionStrategy;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/**
 * Gives the kubelet time to end a pod that is on a node: {@code CheckGracefulDelete} in
 * {@code pkg/registry/core/pod/strategy.go}, v1.33.
 */
final class PodDeletion implements DeletionStrategy {
    static final DeletionStrategy INSTANCE = new PodDeletion();
    private static final int USUAL_SECONDS = 30;

    private PodDeletion() {}

    /** Zero if the pod has no node, or has ended. */
    @Override
    public long graceSeconds(ObjectNode pod, Optional<Long> wanted) {
        String phase = Json.string(pod, "status", "phase");
        boolean runs = !Json.string(pod, "spec", "nodeName").isEmpty()
                && !phase.equals("Succeeded")
                && !phase.equals("Failed");
        long ofSpec = pod.path("spec").path("terminationGracePeriodSeconds").longValue(USUAL_SECONDS);
        long seconds = wanted.orElse(ofSpec);
        return !runs ? 0 : seconds < 0 ? 1 : seconds;
    }

    @Override
    public boolean marksBeforeRemoval() {
        return true;
    }

    /** DELETE answers with the pod as it is being deleted. */
    @Override
    public ObjectNode shownWhenGone(ObjectNode pod) {
        return pod;
    }
}
