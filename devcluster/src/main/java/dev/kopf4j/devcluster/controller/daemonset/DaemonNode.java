package dev.kopf4j.devcluster.controller.daemonset;

import dev.kopf4j.devcluster.controller.action.NodeFit;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** A node, and the pods of a daemon set on it, oldest first. */
record DaemonNode(String name, NodeFit fit, List<DaemonPod> pods) {
    DaemonNode {
        pods = pods.stream().sorted(DaemonPod.OLDEST).toList();
    }

    List<DaemonPod> running() {
        return pods.stream().filter(DaemonPod::runs).toList();
    }

    /** The oldest pod, which the status counts. */
    Optional<DaemonPod> oldest() {
        return pods.stream().findFirst();
    }

    Optional<DaemonPod> updated() {
        return living(DaemonPod::updated);
    }

    Optional<DaemonPod> outdated() {
        return living(pod -> !pod.updated());
    }

    private Optional<DaemonPod> living(Predicate<DaemonPod> which) {
        return pods.stream().filter(pod -> !pod.deleting() && which.test(pod)).findFirst();
    }

    /** Whether there are more pods than an update knows: at most one of each kind. */
    boolean isCrowded() {
        return pods.stream().filter(pod -> !pod.deleting() && pod.updated()).count() > 1
                || pods.stream()
                                .filter(pod -> !pod.deleting() && !pod.updated())
                                .count()
                        > 1;
    }
}
