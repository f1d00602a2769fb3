package dev.kopf4j.devcluster.controller.daemonset;

import dev.kopf4j.devcluster.controller.action.IntOrPercent;
import dev.kopf4j.devcluster.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * Decides what a daemon set does next: {@code podsShouldBeOnNode} in
 * {@code pkg/controller/daemon/daemon_controller.go}, and {@code rollingUpdate} in {@code update.go}, v1.33. Each node
 * that fits gets a pod; then old pods are replaced, as many at a time as {@code maxUnavailable} and {@code maxSurge}
 * let. Confined to one task.
 */
final class DaemonSetPlan {
    private final boolean rolling;
    private final long maxSurge;
    private final long maxUnavailable;
    private final List<DaemonNode> nodes;
    private final List<String> creations = new ArrayList<>();
    private final List<String> deletions = new ArrayList<>();

    /** A plan for the nodes that there are. */
    DaemonSetPlan(JsonNode spec, List<DaemonNode> nodes) {
        long desired = nodes.stream().filter(node -> node.fit().run()).count();
        JsonNode limits = spec.path("updateStrategy").path("rollingUpdate");
        this.rolling = !Json.string(spec, "updateStrategy", "type").equals("OnDelete");
        this.maxSurge = rolling ? IntOrPercent.roundedUp(limits.path("maxSurge"), desired) : 0;
        long unavailable = IntOrPercent.roundedUp(limits.path("maxUnavailable"), desired);
        this.maxUnavailable = maxSurge == 0 ? Math.max(1, unavailable) : unavailable;
        this.nodes = nodes;
        nodes.forEach(this::keep);
        if (rolling && creations.isEmpty() && deletions.isEmpty()) {
            if (maxSurge == 0) {
                replace();
            } else {
                surge();
            }
        }
    }

    /** The names of nodes that get a pod. */
    List<String> creations() {
        return List.copyOf(creations);
    }

    /** The names of pods to delete. */
    List<String> deletions() {
        return List.copyOf(deletions);
    }

    private void keep(DaemonNode node) {
        if (!node.fit().keep()) {
            node.pods().stream().filter(pod -> !pod.deleting()).forEach(this::delete);
        } else if (node.pods().isEmpty()) {
            if (node.fit().run()) {
                creations.add(node.name());
            }
        } else {
            node.pods().stream()
                    .filter(pod -> !pod.deleting() && pod.hasEnded())
                    .forEach(this::delete);
            thin(node);
        }
    }

    /** Deletes what is one too many on a node; while an update surges, an old and a new pod are there together. */
    private void thin(DaemonNode node) {
        List<DaemonPod> running = node.running();
        if (maxSurge == 0) {
            running.stream().skip(1).forEach(this::delete);
            return;
        }
        if (running.isEmpty() && node.fit().run()) {
            creations.add(node.name());
            return;
        }
        running.stream().filter(DaemonPod::updated).skip(1).forEach(this::delete);
        running.stream().filter(pod -> !pod.updated()).skip(1).forEach(this::delete);
        Optional<DaemonPod> updated =
                running.stream().filter(DaemonPod::updated).findFirst();
        Optional<DaemonPod> outdated =
                running.stream().filter(pod -> !pod.updated()).findFirst();
        if (updated.isPresent()
                && outdated.isPresent()
                && (!outdated.get().ready() || updated.get().available())) {
            delete(outdated.get());
        }
    }

    private void delete(DaemonPod pod) {
        deletions.add(pod.name());
    }

    /** Deletes old pods first: those that are not available in any case, others as far as there may be fewer. */
    private void replace() {
        List<String> candidates = new ArrayList<>();
        long unavailable = 0;
        for (DaemonNode node : nodes) {
            Optional<DaemonPod> updated = node.updated();
            Optional<DaemonPod> outdated = node.outdated();
            if (node.pods().isEmpty()) {
                continue;
            }
            if (node.isCrowded() || updated.isPresent() == outdated.isPresent()) {
                unavailable++;
            } else if (updated.isPresent()) {
                unavailable += updated.get().available() ? 0 : 1;
            } else if (!outdated.get().available()) {
                delete(outdated.get());
                unavailable++;
            } else {
                candidates.add(outdated.get().name());
            }
        }
        candidates.stream().limit(Math.max(0, maxUnavailable - unavailable)).forEach(deletions::add);
    }

    /** Creates new pods beside old ones; the old ones go when the new ones are available. */
    private void surge() {
        List<String> candidates = new ArrayList<>();
        long surging = 0;
        for (DaemonNode node : nodes) {
            Optional<DaemonPod> updated = node.updated();
            Optional<DaemonPod> outdated = node.outdated();
            if (node.isCrowded() || (updated.isPresent() && outdated.isPresent())) {
                surging++;
            } else if (outdated.isPresent() && !node.fit().run()) {
                if (!outdated.get().available()) {
                    delete(outdated.get());
                }
            } else if (outdated.isPresent() && outdated.get().available()) {
                candidates.add(node.name());
            } else if (outdated.isPresent()) {
                creations.add(node.name());
            }
        }
        candidates.stream().limit(Math.max(0, maxSurge - surging)).forEach(creations::add);
    }
}
