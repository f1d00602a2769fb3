package dev.kopf4j.devcluster.controller.endpoint;

import dev.kopf4j.devcluster.controller.action.ControllerActions;
import dev.kopf4j.devcluster.controller.action.WorkloadController;
import dev.kopf4j.devcluster.controller.action.WorkloadKind;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.storage.StoredObject;
import dev.kopf4j.json.JsonEquality;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Mirrors Endpoints that somebody writes for a service without a selector in slices:
 * {@code pkg/controller/endpointslicemirroring}, v1.33. Subsets with the same ports share a slice.
 */
public final class MirroringController implements WorkloadController {
    private static final WorkloadKind SLICE = WorkloadKind.ENDPOINT_SLICE;
    private static final String MANAGER = "endpointslice.kubernetes.io/managed-by";
    private static final String SELF = "endpointslicemirroring-controller.k8s.io";
    private static final String SERVICE = "kubernetes.io/service-name";
    private static final String SKIPPED = "endpointslice.kubernetes.io/skip-mirror";
    private static final String LEADER = "control-plane.alpha.kubernetes.io/leader";
    private static final Set<String> NOT_COPIED = Set.of(
            "kubectl.kubernetes.io/last-applied-configuration", "endpoints.kubernetes.io/last-change-trigger-time");

    private final ControllerActions actions;

    /** A controller without a state of its own. */
    public MirroringController(ControllerActions actions) {
        this.actions = actions;
    }

    @Override
    public void sync(StoredObject object) {
        if (object.deleting()) {
            return;
        }
        ObjectNode endpoints = object.tree();
        List<StoredObject> present = new ArrayList<>(actions.owned(SLICE, object).stream()
                .filter(slice -> !slice.deleting()
                        && Json.string(slice.tree(), "metadata", "labels", MANAGER)
                                .equals(SELF))
                .toList());
        for (ObjectNode wanted : isMirrored(object, endpoints) ? wanted(endpoints) : List.<ObjectNode>of()) {
            StoredObject fitting = present.stream()
                    .filter(slice -> sameShape(slice.tree(), wanted))
                    .findFirst()
                    .orElse(null);
            if (fitting == null) {
                Json.child(wanted, "metadata").put("generateName", object.name() + "-");
                actions.create(SLICE, object, WorkloadKind.ENDPOINTS, wanted);
            } else {
                present.remove(fitting);
                replace(fitting, wanted);
            }
        }
        present.forEach(slice -> actions.delete(SLICE, slice));
    }

    private boolean isMirrored(StoredObject object, JsonNode endpoints) {
        JsonNode metadata = endpoints.path("metadata");
        return !Json.string(metadata.path("labels"), SKIPPED).equals("true")
                && !metadata.path("annotations").has(LEADER)
                && actions.find(WorkloadKind.SERVICE, object.namespace(), object.name())
                        .filter(service ->
                                service.tree().path("spec").path("selector").isEmpty())
                        .isPresent();
    }

    private static boolean sameShape(JsonNode slice, JsonNode wanted) {
        return JsonEquality.same(slice.path("addressType"), wanted.path("addressType"))
                && JsonEquality.same(slice.path("ports"), wanted.path("ports"));
    }

    private void replace(StoredObject present, ObjectNode wanted) {
        ObjectNode tree = present.tree();
        ObjectNode metadata = Json.child(tree, "metadata");
        metadata.set("labels", wanted.at("/metadata/labels"));
        if (wanted.path("metadata").has("annotations")) {
            metadata.set("annotations", wanted.at("/metadata/annotations"));
        } else {
            metadata.remove("annotations");
        }
        tree.set("endpoints", wanted.path("endpoints"));
        actions.replaceSpec(SLICE, present, tree);
    }

    /** The slices that there should be, without names. */
    private static List<ObjectNode> wanted(JsonNode endpoints) {
        Map<String, ObjectNode> slices = new LinkedHashMap<>();
        for (JsonNode subset : endpoints.path("subsets")) {
            ArrayNode ports = ports(subset);
            for (String field : List.of("addresses", "notReadyAddresses")) {
                for (JsonNode address : subset.path(field)) {
                    String family = Json.string(address, "ip").contains(":") ? "IPv6" : "IPv4";
                    ObjectNode slice = slices.computeIfAbsent(
                            family + Json.text(ports), _ -> slice(endpoints.path("metadata"), family, ports));
                    ((ArrayNode) slice.path("endpoints")).add(endpoint(address, field.equals("addresses")));
                }
            }
        }
        return List.copyOf(slices.values());
    }

    private static ObjectNode slice(JsonNode metadata, String family, ArrayNode ports) {
        ObjectNode slice = Json.object();
        ObjectNode own = slice.putObject("metadata");
        ObjectNode labels = own.putObject("labels");
        metadata.path("labels").properties().forEach(label -> labels.set(label.getKey(), label.getValue()));
        labels.put(MANAGER, SELF).put(SERVICE, Json.string(metadata, "name"));
        metadata.path("annotations").properties().forEach(annotation -> {
            if (!NOT_COPIED.contains(annotation.getKey())) {
                Json.child(own, "annotations").set(annotation.getKey(), annotation.getValue());
            }
        });
        slice.put("addressType", family).putArray("endpoints");
        slice.set("ports", ports);
        return slice;
    }

    private static ArrayNode ports(JsonNode subset) {
        ArrayNode ports = Json.array();
        for (JsonNode port : subset.path("ports")) {
            ObjectNode shown = ports.addObject()
                    .put("name", Json.string(port, "name"))
                    .put("port", port.path("port").longValue(0))
                    .put("protocol", Json.string(port, "protocol"));
            if (port.has("appProtocol")) {
                shown.set("appProtocol", port.path("appProtocol"));
            }
        }
        return ports;
    }

    private static ObjectNode endpoint(JsonNode address, boolean ready) {
        ObjectNode endpoint = Json.object();
        endpoint.putArray("addresses").add(Json.string(address, "ip"));
        endpoint.putObject("conditions").put("ready", ready);
        for (String field : List.of("hostname", "targetRef", "nodeName")) {
            if (address.has(field)) {
                endpoint.set(field, address.path(field).deepCopy());
            }
        }
        return endpoint;
    }
}
