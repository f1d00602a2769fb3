package dev.kopf4j.devcluster.controller.workload;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Replica sets: as many pods as are wanted, and a status that counts them. */
final class ReplicaSetController implements WorkloadSimulation.Controller {
    private final ControllerActions controllerActions;

    ReplicaSetController(ControllerActions controllerActions) {
        this.controllerActions = controllerActions;
    }

    @Override
    public void sync(StoredObject object) {
        if (object.deleting()) {
            return;
        }
        ObjectNode set = object.tree();
        long wanted = set.path("spec").path("replicas").longValue(1);
        List<StoredObject> pods = new ArrayList<>();
        for (StoredObject pod : controllerActions.owned(WorkloadKind.POD, object)) {
            String phase = ControllerActions.phase(pod.tree());
            if (!pod.deleting() && !phase.equals("Succeeded") && !phase.equals("Failed")) {
                pods.add(pod);
            }
        }
        count(object, set, pods);
        for (long missing = wanted - pods.size(); missing > 0; missing--) {
            controllerActions.create(
                    WorkloadKind.POD,
                    object,
                    WorkloadKind.REPLICA_SET,
                    ControllerActions.pod(set.path("spec").path("template"), object.name()));
        }
        for (int spare = pods.size() - 1; spare >= wanted; spare--) {
            controllerActions.delete(WorkloadKind.POD, pods.get(spare));
        }
    }

    private void count(StoredObject object, ObjectNode set, List<StoredObject> pods) {
        long ready = pods.stream()
                .filter(pod -> ControllerActions.isReady(pod.tree()))
                .count();
        ObjectNode status = Json.child(set, "status");
        status.put("replicas", pods.size());
        number(status, "fullyLabeledReplicas", pods.size());
        number(status, "readyReplicas", ready);
        number(status, "availableReplicas", ready);
        status.put("observedGeneration", set.path("metadata").path("generation").longValue(1));
        controllerActions.replace(WorkloadKind.REPLICA_SET, object, set);
    }

    /** A count that is left out when it is zero, as these are. */
    static void number(ObjectNode status, String field, long value) {
        if (value == 0) {
            status.remove(field);
        } else {
            status.put(field, value);
        }
    }

    static long number(JsonNode object, String field) {
        return object.path("status").path(field).longValue(0);
    }
}
