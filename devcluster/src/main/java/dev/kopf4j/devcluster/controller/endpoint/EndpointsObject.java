package dev.kopf4j.devcluster.controller.endpoint;

import dev.kopf4j.devcluster.json.Json;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The Endpoints of a service: {@code syncService} in {@code pkg/controller/endpoint/endpoints_controller.go}, and
 * {@code RepackSubsets} in {@code pkg/api/v1/endpoints/util.go}, v1.33. Pure.
 */
final class EndpointsObject {
    private EndpointsObject() {}

    /** Puts labels and addresses into an object. */
    static void set(ObjectNode endpoints, JsonNode service, List<ServicePod> pods) {
        Json.child(endpoints, "metadata").set("labels", ServiceLabels.ofEndpoints(service));
        Map<String, List<ServicePod>> byPorts = new LinkedHashMap<>();
        pods.stream()
                .filter(pod -> !pod.isTerminating() || pod.publishesAll())
                .sorted(Comparator.comparing(ServicePod::address))
                .forEach(pod -> byPorts.computeIfAbsent(Json.text(pod.ports()), text -> new ArrayList<>())
                        .add(pod));
        if (byPorts.isEmpty()) {
            endpoints.remove("subsets");
            return;
        }
        ArrayNode subsets = endpoints.putArray("subsets");
        byPorts.forEach((ports, members) -> {
            ObjectNode subset = subsets.addObject();
            addresses(subset, "addresses", members, true);
            addresses(subset, "notReadyAddresses", members, false);
            JsonNode list = Json.parse(ports);
            list.forEach(port -> {
                if (Json.string(port, "name").isEmpty()) {
                    ((ObjectNode) port).remove("name");
                }
            });
            if (!list.isEmpty()) {
                subset.set("ports", list);
            }
        });
    }

    private static void addresses(ObjectNode subset, String field, List<ServicePod> pods, boolean ready) {
        List<ServicePod> some =
                pods.stream().filter(pod -> pod.isReady() == ready).toList();
        if (!some.isEmpty()) {
            ArrayNode addresses = subset.putArray(field);
            some.forEach(pod -> addresses.add(pod.endpointAddress()));
        }
    }
}
