package dev.kopf4j.devcluster.controller.deployment;

import dev.kopf4j.devcluster.storage.StoredObject;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** The replica sets of a deployment: the one of its present template, and the old ones. Immutable. */
record ReplicaSets(List<StoredObject> all, Optional<StoredObject> newest, List<StoredObject> old) {
    static ReplicaSets of(List<StoredObject> all, String newestName) {
        Optional<StoredObject> newest =
                all.stream().filter(set -> set.name().equals(newestName)).findFirst();
        List<StoredObject> old =
                all.stream().filter(set -> newest.filter(set::equals).isEmpty()).toList();
        return new ReplicaSets(all, newest, old);
    }

    static ReplicaSetSize size(StoredObject set) {
        return ReplicaSetSize.of(set.tree());
    }

    List<ReplicaSetSize> oldSizes() {
        return old.stream().map(ReplicaSets::size).toList();
    }

    /** {@code isScalingEvent}: whether a set with pods was scaled for another number of replicas. */
    boolean areForAnotherScale(long wanted) {
        return all.stream()
                .map(StoredObject::tree)
                .filter(set -> ReplicaSetSize.of(set).isActive())
                .anyMatch(set -> ReplicaSetSize.annotated(set, ReplicaSetSize.DESIRED, wanted) != wanted);
    }

    /** {@code cleanupDeployment}: the old sets without pods that are too many, those of low revisions first. */
    List<StoredObject> beyondHistory(long limit) {
        List<StoredObject> spent = old.stream()
                .filter(set -> !set.deleting() && isSpent(set.tree()))
                .sorted(Comparator.comparingLong(set -> DeploymentRevision.of(set.tree())))
                .toList();
        return spent.subList(0, (int) Math.max(0, spent.size() - limit));
    }

    private static boolean isSpent(ObjectNode set) {
        return !ReplicaSetSize.of(set).isActive()
                && set.path("status").path("replicas").longValue(0) == 0
                && set.path("status").path("observedGeneration").longValue(0)
                        >= set.path("metadata").path("generation").longValue(0);
    }
}
