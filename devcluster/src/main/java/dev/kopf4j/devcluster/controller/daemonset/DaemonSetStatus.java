package dev.kopf4j.devcluster.controller.daemonset;

import dev.kopf4j.devcluster.controller.action.StatusCounts;
import dev.kopf4j.devcluster.json.Json;
import java.util.List;
import java.util.function.Predicate;
import tools.jackson.databind.node.ObjectNode;

/**
 * The status of daemon sets: {@code updateDaemonSetStatus} in {@code pkg/controller/daemon/daemon_controller.go},
 * v1.33. Pure.
 */
final class DaemonSetStatus {
    private DaemonSetStatus() {}

    static void set(ObjectNode set, List<DaemonNode> nodes) {
        List<DaemonNode> wanted =
                nodes.stream().filter(node -> node.fit().run()).toList();
        long available = count(wanted, DaemonPod::available);
        ObjectNode status = Json.child(set, "status");
        status.put("currentNumberScheduled", count(wanted, pod -> true));
        status.put(
                "numberMisscheduled",
                nodes.stream()
                        .filter(node -> !node.fit().run() && !node.pods().isEmpty())
                        .count());
        status.put("desiredNumberScheduled", wanted.size());
        status.put("numberReady", count(wanted, DaemonPod::ready));
        StatusCounts.set(status, "updatedNumberScheduled", count(wanted, DaemonPod::updated));
        StatusCounts.set(status, "numberAvailable", available);
        StatusCounts.set(status, "numberUnavailable", wanted.size() - available);
        status.put("observedGeneration", set.path("metadata").path("generation").longValue(1));
    }

    private static long count(List<DaemonNode> nodes, Predicate<DaemonPod> which) {
        return nodes.stream()
                .flatMap(node -> node.oldest().stream())
                .filter(which)
                .count();
    }
}
