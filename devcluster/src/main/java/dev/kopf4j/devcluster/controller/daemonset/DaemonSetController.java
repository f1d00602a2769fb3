package dev.kopf4j.devcluster.controller.daemonset;

import dev.kopf4j.devcluster.controller.action.ControllerActions;
import dev.kopf4j.devcluster.controller.action.PodAvailability;
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
import java.util.Set;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;
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
            byNode.computeIfAbsent(member.node(), name -> new ArrayList<>()).add(member);
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
}
