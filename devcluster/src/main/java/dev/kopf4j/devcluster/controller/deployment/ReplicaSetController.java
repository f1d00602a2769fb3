package dev.kopf4j.devcluster.controller.deployment;

import dev.kopf4j.devcluster.controller.action.ControllerActions;
import dev.kopf4j.devcluster.controller.action.PodAvailability;
import dev.kopf4j.devcluster.controller.action.PodTemplate;
import dev.kopf4j.devcluster.controller.action.StatusCounts;
import dev.kopf4j.devcluster.controller.action.WorkloadController;
import dev.kopf4j.devcluster.controller.action.WorkloadKind;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.util.Comparator;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Controls replica sets: creates and deletes pods until their number is right, and counts them in the status. Of too
 * many pods, those that are not ready go first, and then the youngest: {@code ActivePodsWithRanks} in
 * {@code pkg/controller/controller_utils.go}, v1.33.
 */
public final class ReplicaSetController implements WorkloadController {
    private static final Comparator<JsonNode> FIRST_TO_GO = Comparator.comparing(PodTemplate::isReady)
            .thenComparing(
                    Comparator.<JsonNode, String>comparing(pod -> Json.string(pod, "metadata", "creationTimestamp"))
                            .reversed());
    private final ControllerActions actions;

    /** A controller without a state of its own. */
    public ReplicaSetController(ControllerActions actions) {
        this.actions = actions;
    }

    private record Member(StoredObject object, JsonNode tree) {}

    @Override
    public void sync(StoredObject object) {
        if (object.deleting()) {
            return;
        }
        ObjectNode set = object.tree();
        long wanted = set.path("spec").path("replicas").longValue(1);
        List<Member> pods = actions.owned(WorkloadKind.POD, object).stream()
                .filter(pod -> !pod.deleting())
                .map(pod -> new Member(pod, pod.tree()))
                .filter(pod -> !PodTemplate.hasEnded(pod.tree()))
                .toList();
        count(object, set, pods.stream().map(Member::tree).toList());
        for (long missing = wanted - pods.size(); missing > 0; missing--) {
            ObjectNode pod = PodTemplate.instantiate(set.path("spec").path("template"), object.name());
            actions.create(WorkloadKind.POD, object, WorkloadKind.REPLICA_SET, pod);
        }
        pods.stream()
                .sorted(Comparator.comparing(Member::tree, FIRST_TO_GO))
                .limit(Math.max(0, pods.size() - wanted))
                .forEach(pod -> actions.delete(WorkloadKind.POD, pod.object()));
    }

    private void count(StoredObject object, ObjectNode set, List<JsonNode> pods) {
        PodAvailability availability = PodAvailability.of(set.path("spec"), actions.instant());
        ObjectNode status = Json.child(set, "status");
        status.put("replicas", pods.size());
        StatusCounts.set(status, "fullyLabeledReplicas", pods.size());
        StatusCounts.set(
                status,
                "readyReplicas",
                pods.stream().filter(PodTemplate::isReady).count());
        StatusCounts.set(
                status,
                "availableReplicas",
                pods.stream().filter(availability::isAvailable).count());
        status.put("observedGeneration", set.path("metadata").path("generation").longValue(1));
        actions.replace(WorkloadKind.REPLICA_SET, object, set);
        availability.next(pods).ifPresent(time -> actions.syncAt(WorkloadKind.REPLICA_SET, object, time));
    }
}
