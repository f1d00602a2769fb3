package dev.kopf4j.devcluster.controller.daemonset;

import dev.kopf4j.devcluster.controller.action.ControllerActions;
import dev.kopf4j.devcluster.controller.action.IntOrPercent;
import dev.kopf4j.devcluster.controller.action.NodeFit;
import dev.kopf4j.devcluster.controller.action.PodAvailability;
import dev.kopf4j.devcluster.controller.action.PodTemplate;
import dev.kopf4j.devcluster.controller.action.StatusCounts;
import dev.kopf4j.devcluster.controller.action.WorkloadController;
import dev.kopf4j.devcluster.controller.action.WorkloadKind;
import dev.kopf4j.devcluster.controller.history.Revision;
import dev.kopf4j.devcluster.controller.history.RevisionHistory;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Controls daemon sets: carries out what {@link DaemonSetPlan} says. See {@code pkg/controller/daemon}, v1.33. */
public final class DaemonSetController implements WorkloadController {
    private static final WorkloadKind KIND = WorkloadKind.DAEMON_SET;
    private final ControllerActions actions;
    private final RevisionHistory history;

    /** A controller without a state of its own. */
    public DaemonSetController(ControllerActions actions) {
        this.actions = actions;
        this.history = new RevisionHistory(actions, KIND);
    }

    @Override
    public void sync(StoredObject object) {
        ObjectNode set = object.tree();
        if (!object.deleting()) {
            history.update(object, set).ifPresent(revision -> sync(object, set, revision));
        }
    }

    private void sync(StoredObject object, ObjectNode set, Revision revision) {
        JsonNode spec = set.path("spec");
        JsonNode template = spec.path("template");
        List<StoredObject> pods = actions.owned(WorkloadKind.POD, object);
        List<DaemonNode> nodes = nodes(object, spec, pods, revision.hash());
        setStatus(set, nodes);
        actions.replace(KIND, object, set);
        DaemonSetPlan plan = new DaemonSetPlan(spec, nodes);
        pods.stream()
                .filter(pod -> plan.deletions().contains(pod.name()))
                .forEach(pod -> actions.delete(WorkloadKind.POD, pod));
        for (String node : plan.creations()) {
            String generation = RevisionHistory.templateGeneration(set);
            ObjectNode pod = DaemonPodTemplate.pod(template, object.name(), node, revision.hash(), generation);
            actions.create(WorkloadKind.POD, object, KIND, pod);
        }
        truncate(object, set, pods, revision);
    }

    private List<DaemonNode> nodes(StoredObject object, JsonNode spec, List<StoredObject> pods, String hash) {
        PodAvailability availability = PodAvailability.of(spec, actions.instant());
        List<JsonNode> trees = new ArrayList<>();
        Map<String, List<DaemonPod>> byNode = new HashMap<>();
        for (StoredObject pod : pods) {
            JsonNode tree = pod.tree();
            trees.add(tree);
            DaemonPod member = DaemonPod.of(pod, tree, hash, availability);
            byNode.computeIfAbsent(PodTemplate.node(tree), name -> new ArrayList<>())
                    .add(member);
        }
        availability.next(trees).ifPresent(time -> actions.syncAt(KIND, object, time));
        JsonNode podSpec = DaemonPodTemplate.spec(spec.path("template"));
        return actions.all(WorkloadKind.NODE).stream()
                .map(node -> new DaemonNode(
                        node.name(), NodeFit.of(podSpec, node.tree()), byNode.getOrDefault(node.name(), List.of())))
                .toList();
    }

    private void truncate(StoredObject object, JsonNode set, List<StoredObject> pods, Revision revision) {
        Set<String> live = new HashSet<>(List.of(revision.name()));
        pods.forEach(pod -> live.add(Json.string(pod.tree(), "metadata", "labels", "controller-revision-hash")));
        live.remove("");
        history.truncate(object, set, live);
    }

    /** Sets the status: {@code updateDaemonSetStatus} in {@code pkg/controller/daemon/daemon_controller.go}, v1.33. */
    private static void setStatus(ObjectNode set, List<DaemonNode> nodes) {
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

    /**
     * The pods of daemon sets: they tolerate what is wrong with nodes, and are bound to a node by an affinity.
     * {@code CreatePodTemplate} and {@code ReplaceDaemonSetPodNodeNameNodeAffinity} in
     * {@code pkg/controller/daemon/util/daemonset_util.go}, v1.33. Pure.
     */
    static final class DaemonPodTemplate {
        private static final List<List<String>> TOLERATED = List.of(
                List.of("node.kubernetes.io/not-ready", "NoExecute"),
                List.of("node.kubernetes.io/unreachable", "NoExecute"),
                List.of("node.kubernetes.io/disk-pressure", "NoSchedule"),
                List.of("node.kubernetes.io/memory-pressure", "NoSchedule"),
                List.of("node.kubernetes.io/pid-pressure", "NoSchedule"),
                List.of("node.kubernetes.io/unschedulable", "NoSchedule"));
        private static final List<String> OF_HOST_NETWORK =
                List.of("node.kubernetes.io/network-unavailable", "NoSchedule");

        private DaemonPodTemplate() {}

        /** The spec of a template with the tolerations of daemon sets. */
        static ObjectNode spec(JsonNode template) {
            ObjectNode spec = (ObjectNode) template.path("spec").deepCopy();
            List<List<String>> tolerated = new ArrayList<>(TOLERATED);
            if (spec.path("hostNetwork").booleanValue(false)) {
                tolerated.add(OF_HOST_NETWORK);
            }
            ArrayNode tolerations = Json.list(spec, "tolerations");
            for (List<String> each : tolerated) {
                tolerations.removeIf(present -> Json.string(present, "key").equals(each.get(0))
                        && Json.string(present, "effect").equals(each.get(1))
                        && Json.string(present, "operator").equals("Exists"));
                tolerations
                        .addObject()
                        .put("key", each.get(0))
                        .put("operator", "Exists")
                        .put("effect", each.get(1));
            }
            return spec;
        }

        /**
         * A pod for a node, not created yet.
         *
         * @param generation the generation of the template; empty without
         */
        static ObjectNode pod(JsonNode template, String set, String node, String hash, String generation) {
            ObjectNode pod = PodTemplate.instantiate(template, set);
            ObjectNode labels = Json.child(Json.child(pod, "metadata"), "labels");
            labels.put("controller-revision-hash", hash);
            if (!generation.isEmpty()) {
                labels.put("pod-template-generation", generation);
            }
            ObjectNode spec = spec(template);
            ObjectNode affinity = Json.child(Json.child(spec, "affinity"), "nodeAffinity");
            ObjectNode onlyTerm = affinity.putObject("requiredDuringSchedulingIgnoredDuringExecution")
                    .putArray("nodeSelectorTerms")
                    .addObject();
            onlyTerm.putArray("matchFields")
                    .addObject()
                    .put("key", "metadata.name")
                    .put("operator", "In")
                    .putArray("values")
                    .add(node);
            pod.set("spec", spec);
            return pod;
        }
    }

    /**
     * Decides what a daemon set does next: {@code podsShouldBeOnNode} in
     * {@code pkg/controller/daemon/daemon_controller.go}, and {@code rollingUpdate} in {@code update.go}, v1.33. Each
     * node that fits gets a pod; then old pods are replaced, as many at a time as {@code maxUnavailable} and
     * {@code maxSurge} let. Confined to one task.
     */
    static final class DaemonSetPlan {
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
}
