package dev.kopf4j.devcluster.strategy.core;

import dev.kopf4j.devcluster.json.Json;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Sets the defaults that pods get and templates do not: {@code SetDefaults_Pod} and {@code defaultHostNetworkPorts} in
 * {@code pkg/apis/core/v1/defaults.go}, and the lists of addresses by {@code pkg/apis/core/v1/conversion.go}, v1.33.
 * Pure.
 */
final class PodDefaults {
    private PodDefaults() {}

    /** Sets the defaults of a pod's spec. */
    static void prepare(ObjectNode spec) {
        boolean onHost = spec.path("hostNetwork").booleanValue(false);
        for (String list : List.of("initContainers", "containers")) {
            for (JsonNode container : spec.path(list)) {
                requestLimits((ObjectNode) container);
                if (onHost) {
                    hostPorts(container.path("ports"));
                }
            }
        }
        if (!spec.has("enableServiceLinks")) {
            spec.put("enableServiceLinks", true);
        }
    }

    private static void requestLimits(ObjectNode container) {
        JsonNode limits = container.path("resources").path("limits");
        if (limits.isEmpty()) {
            return;
        }
        ObjectNode requests = Json.child(Json.child(container, "resources"), "requests");
        for (Map.Entry<String, JsonNode> limit : limits.properties()) {
            if (!requests.has(limit.getKey())) {
                requests.set(limit.getKey(), limit.getValue());
            }
        }
    }

    private static void hostPorts(JsonNode ports) {
        for (JsonNode port : ports) {
            if (port.path("hostPort").intValue(0) == 0) {
                ((ObjectNode) port).set("hostPort", port.path("containerPort"));
            }
        }
    }

    /** Makes the single address a list, too. */
    static void addresses(JsonNode status) {
        list(status, "podIP", "podIPs");
        list(status, "hostIP", "hostIPs");
    }

    private static void list(JsonNode status, String single, String list) {
        String address = Json.string(status, single);
        if (!address.isEmpty() && status.path(list).isEmpty()) {
            ((ObjectNode) status).putArray(list).addObject().put("ip", address);
        }
    }
}
