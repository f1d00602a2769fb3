package dev.kopf4j.devcluster.controller.endpoint;

import dev.kopf4j.devcluster.controller.action.ControllerActions;
import dev.kopf4j.devcluster.controller.action.WorkloadKind;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.json.JsonEquality;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Keeps the slices of services: {@code reconciler.go} of {@code k8s.io/endpointslice}, v1.33. Pods with the same ports
 * share slices of up to 100; a service without pods has an empty one. Used by the tasks of the server only.
 */
final class EndpointSlices {
    private static final WorkloadKind KIND = WorkloadKind.ENDPOINT_SLICE;
    private static final int MOST = 100;
    private final ControllerActions actions;

    EndpointSlices(ControllerActions actions) {
        this.actions = actions;
    }

    void update(StoredObject object, JsonNode service, List<ServicePod> pods) {
        List<StoredObject> present = new ArrayList<>(actions.owned(KIND, object).stream()
                .filter(slice -> !slice.deleting() && isManaged(slice.tree()))
                .toList());
        for (ObjectNode wanted : wanted(service, pods)) {
            StoredObject fitting = present.stream()
                    .filter(slice -> JsonEquality.same(portsOf(slice.tree()), wanted.path("ports")))
                    .findFirst()
                    .or(() -> present.stream().findFirst())
                    .orElse(null);
            if (fitting == null) {
                create(object, wanted);
            } else {
                present.remove(fitting);
                replace(fitting, wanted);
            }
        }
        present.forEach(slice -> actions.delete(KIND, slice));
    }

    private static JsonNode portsOf(JsonNode slice) {
        return slice.path("ports").isArray() ? slice.path("ports") : Json.array();
    }

    private static boolean isManaged(JsonNode slice) {
        return Json.string(slice, "metadata", "labels", ServiceLabels.SLICE_MANAGER)
                .equals(ServiceLabels.SLICE_CONTROLLER);
    }

    /** The slices that there should be, without names. */
    private static List<ObjectNode> wanted(JsonNode service, List<ServicePod> pods) {
        Map<String, List<ServicePod>> byPorts = new LinkedHashMap<>();
        for (ServicePod pod : pods) {
            byPorts.computeIfAbsent(Json.text(pod.ports()), text -> new ArrayList<>())
                    .add(pod);
        }
        List<ObjectNode> slices = new ArrayList<>();
        byPorts.forEach((ports, members) -> {
            for (int from = 0; from < members.size(); from += MOST) {
                List<ServicePod> part = members.subList(from, Math.min(members.size(), from + MOST));
                slices.add(slice(service, part, (ArrayNode) Json.parse(ports)));
            }
        });
        return slices.isEmpty() ? List.of(slice(service, List.of(), Json.array())) : slices;
    }

    private static ObjectNode slice(JsonNode service, List<ServicePod> pods, ArrayNode ports) {
        ObjectNode slice = Json.object();
        slice.putObject("metadata").set("labels", ServiceLabels.ofSlice(service));
        slice.put("addressType", "IPv4");
        ArrayNode endpoints = slice.putArray("endpoints");
        pods.forEach(pod -> endpoints.add(pod.endpoint()));
        slice.set("ports", ports);
        return slice;
    }

    private void create(StoredObject service, ObjectNode slice) {
        Json.child(slice, "metadata").put("generateName", service.name() + "-");
        actions.create(KIND, service, WorkloadKind.SERVICE, slice);
    }

    private void replace(StoredObject present, ObjectNode wanted) {
        ObjectNode tree = present.tree();
        ObjectNode before = tree.deepCopy();
        Json.child(tree, "metadata").set("labels", wanted.at("/metadata/labels"));
        tree.set("endpoints", wanted.path("endpoints"));
        tree.set("ports", wanted.path("ports"));
        if (!JsonEquality.same(before, tree)) {
            actions.replaceSpec(KIND, present, tree);
        }
    }
}
