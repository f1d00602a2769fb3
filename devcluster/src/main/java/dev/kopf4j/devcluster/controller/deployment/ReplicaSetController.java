package dev.kopf4j.devcluster.controller.deployment;

import dev.kopf4j.devcluster.controller.action.ControllerActions;
import dev.kopf4j.devcluster.controller.action.PodAvailability;
import dev.kopf4j.devcluster.controller.action.PodTemplate;
import dev.kopf4j.devcluster.controller.action.StatusCounts;
import dev.kopf4j.devcluster.controller.action.WorkloadController;
import dev.kopf4j.devcluster.controller.action.WorkloadKind;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.meta.StatusConditions;
import dev.kopf4j.devcluster.selector.LabelSelector;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Controls replica sets, and replication controllers, which differ in the form of their selector: creates and deletes
 * pods until their number is right, and counts them in the status. Of too many pods those go first that have no node,
 * do not run, are not ready, have the least deletion cost, are with most others on their node, and at last the
 * youngest: {@code ActivePodsWithRanks} in {@code pkg/controller/controller_utils.go}, v1.33, without restarts, and
 * ages by their logarithm.
 */
public final class ReplicaSetController implements WorkloadController {
    private static final String FAILURE = "ReplicaFailure";
    private static final Comparator<JsonNode> FIRST_TO_GO = Comparator.<JsonNode, Boolean>comparing(
                    pod -> !node(pod).isEmpty())
            .thenComparing(pod -> PodTemplate.phase(pod).equals("Running"))
            .thenComparing(PodTemplate::isReady)
            .thenComparingInt(ReplicaSetController::cost);
    private static final Comparator<JsonNode> YOUNGEST = Comparator.<JsonNode, String>comparing(
                    pod -> Json.string(pod, "metadata", "creationTimestamp"))
            .reversed();
    private final ControllerActions actions;
    private final WorkloadKind kind;

    /**
     * A controller without a state of its own.
     *
     * @param kind replica sets, or replication controllers
     */
    public ReplicaSetController(ControllerActions actions, WorkloadKind kind) {
        this.actions = actions;
        this.kind = kind;
    }

    private record Member(StoredObject object, JsonNode tree) {}

    @Override
    public void sync(StoredObject object) {
        if (object.deleting()) {
            return;
        }
        ObjectNode set = object.tree();
        long wanted = set.path("spec").path("replicas").longValue(1);
        LabelSelector selector = LabelSelector.of(kind.selector(set));
        List<Member> pods =
                actions.claim(WorkloadKind.POD, object, kind, selector, ReplicaSetController::isActive).stream()
                        .map(pod -> new Member(pod, pod.tree()))
                        .toList();
        Optional<ApiException> failure = create(object, set.path("spec").path("template"), wanted - pods.size());
        count(object, set, pods.stream().map(Member::tree).toList(), failure);
        firstToGo(pods).limit(Math.max(0, pods.size() - wanted)).forEach(pod -> actions.delete(WorkloadKind.POD, pod));
    }

    /** Others are neither counted nor adopted nor released: {@code FilterActivePods}. */
    private static boolean isActive(JsonNode pod) {
        return !pod.path("metadata").has("deletionTimestamp") && !PodTemplate.hasEnded(pod);
    }

    private static Stream<StoredObject> firstToGo(List<Member> pods) {
        Map<String, Long> readyOfNodes = pods.stream()
                .filter(pod -> PodTemplate.isReady(pod.tree()))
                .collect(Collectors.groupingBy(pod -> node(pod.tree()), Collectors.counting()));
        Comparator<JsonNode> order = FIRST_TO_GO
                .thenComparingLong(pod -> -readyOfNodes.getOrDefault(node(pod), 0L))
                .thenComparing(YOUNGEST);
        return pods.stream().sorted(Comparator.comparing(Member::tree, order)).map(Member::object);
    }

    private static String node(JsonNode pod) {
        return Json.string(pod, "spec", "nodeName");
    }

    /** {@code GetDeletionCostFromPodAnnotations}: 32 bits; what is no number counts as none. */
    private static int cost(JsonNode pod) {
        String text = Json.string(pod, "metadata", "annotations", "controller.kubernetes.io/pod-deletion-cost");
        try {
            return text.matches("0|-?[1-9][0-9]*") ? Integer.parseInt(text) : 0;
        } catch (NumberFormatException e) {
            return 0; // it has more than 32 bits
        }
    }

    /** Creates pods until one is refused: then the next would be, too. */
    private Optional<ApiException> create(StoredObject object, JsonNode template, long missing) {
        Optional<ApiException> failure = Optional.empty();
        for (long left = missing; left > 0 && failure.isEmpty(); left--) {
            failure = actions.create(WorkloadKind.POD, object, kind, PodTemplate.instantiate(template, object.name()));
        }
        return failure;
    }

    /** {@code calculateStatus} in {@code pkg/controller/replicaset/replica_set_utils.go}, v1.33. */
    private void count(StoredObject object, ObjectNode set, List<JsonNode> pods, Optional<ApiException> failure) {
        PodAvailability availability = PodAvailability.of(set.path("spec"), actions.instant());
        ObjectNode status = Json.child(set, "status");
        status.put("replicas", pods.size());
        ObjectNode ofTemplate = Json.object();
        ofTemplate.set("matchLabels", set.at("/spec/template/metadata/labels"));
        LabelSelector labelled = LabelSelector.of(ofTemplate);
        StatusCounts.set(
                status,
                "fullyLabeledReplicas",
                pods.stream()
                        .filter(pod -> labelled.matches(pod.path("metadata").path("labels")))
                        .count());
        StatusCounts.set(
                status,
                "readyReplicas",
                pods.stream().filter(PodTemplate::isReady).count());
        StatusCounts.set(
                status,
                "availableReplicas",
                pods.stream().filter(availability::isAvailable).count());
        status.put("observedGeneration", set.path("metadata").path("generation").longValue(1));
        if (failure.isEmpty()) {
            StatusConditions.remove(status, FAILURE);
        } else if (!StatusConditions.isTrue(status, FAILURE)) { // its message names a pod, which is another each time
            String message = String.valueOf(failure.get().getMessage());
            StatusConditions.set(status, FAILURE, true, "FailedCreate", message, actions.now());
        }
        actions.replace(kind, object, set);
        availability.next(pods).ifPresent(time -> actions.syncAt(kind, object, time));
    }
}
