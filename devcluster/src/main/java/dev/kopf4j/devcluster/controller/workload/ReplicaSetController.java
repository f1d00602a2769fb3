package dev.kopf4j.devcluster.controller.workload;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** Controls replica sets: creates and deletes pods until their number is right, and counts them in the status. */
final class ReplicaSetController implements WorkloadSimulation.Controller {
    private final ControllerActions actions;

    ReplicaSetController(ControllerActions actions) {
        this.actions = actions;
    }

    @Override
    public void sync(StoredObject object) {
        if (object.deleting()) {
            return;
        }
        ObjectNode set = object.tree();
        long wanted = set.path("spec").path("replicas").longValue(1);
        List<StoredObject> pods = actions.owned(WorkloadKind.POD, object).stream()
                .filter(pod -> !pod.deleting() && !PodTemplate.hasEnded(pod.tree()))
                .toList();
        count(object, set, pods);
        for (long missing = wanted - pods.size(); missing > 0; missing--) {
            ObjectNode pod = PodTemplate.instantiate(set.path("spec").path("template"), object.name());
            actions.create(WorkloadKind.POD, object, WorkloadKind.REPLICA_SET, pod);
        }
        for (int spare = pods.size() - 1; spare >= wanted; spare--) {
            actions.delete(WorkloadKind.POD, pods.get(spare));
        }
    }

    private void count(StoredObject object, ObjectNode set, List<StoredObject> pods) {
        long ready =
                pods.stream().filter(pod -> PodTemplate.isReady(pod.tree())).count();
        ObjectNode status = Json.child(set, "status");
        status.put("replicas", pods.size());
        StatusCounts.set(status, "fullyLabeledReplicas", pods.size());
        StatusCounts.set(status, "readyReplicas", ready);
        StatusCounts.set(status, "availableReplicas", ready);
        status.put("observedGeneration", set.path("metadata").path("generation").longValue(1));
        actions.replace(WorkloadKind.REPLICA_SET, object, set);
    }
}
