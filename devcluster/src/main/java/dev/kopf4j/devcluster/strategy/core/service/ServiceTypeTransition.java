package dev.kopf4j.devcluster.strategy.core.service;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.json.JsonEquality;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Keeps the values that the server has allocated for a service, and removes those that its new type does not have:
 * {@code patchAllocatedValues} in {@code pkg/registry/core/service/storage/storage.go} and
 * {@code dropTypeDependentFields} in {@code pkg/registry/core/service/strategy.go}, v1.33. A field is removed only if
 * the client left it as it was.
 */
final class ServiceTypeTransition {
    private static final Set<String> WITH_ADDRESS = Set.of("ClusterIP", "NodePort", "LoadBalancer");
    private static final Set<String> EXPOSED = Set.of("NodePort", "LoadBalancer");
    private static final Set<String> BALANCED = Set.of("LoadBalancer");

    /** The types of services that have each field. */
    private static final Map<String, Set<String>> OF_TYPES = Map.of(
            "clusterIP", WITH_ADDRESS,
            "clusterIPs", WITH_ADDRESS,
            "ipFamilies", WITH_ADDRESS,
            "ipFamilyPolicy", WITH_ADDRESS,
            "allocateLoadBalancerNodePorts", BALANCED,
            "loadBalancerClass", BALANCED,
            "internalTrafficPolicy", WITH_ADDRESS);

    private final JsonNode before;
    private final ObjectNode next;
    private final String formerType;
    private final String type;

    private ServiceTypeTransition(JsonNode before, ObjectNode next) {
        this.before = before;
        this.next = next;
        this.formerType = Json.string(before, "type");
        this.type = Json.string(next, "type");
    }

    /** Keeps what was allocated and the client does not name, in the next spec, whose type is set already. */
    static void keepAllocated(JsonNode before, ObjectNode next) {
        ServiceTypeTransition transition = new ServiceTypeTransition(before, next);
        transition.keepAddress();
        transition.keepNodePorts();
        transition.keepHealthCheck();
    }

    /** Removes what the next type does not have. */
    static void dropFields(JsonNode before, ObjectNode next) {
        ServiceTypeTransition transition = new ServiceTypeTransition(before, next);
        transition.dropNodePorts();
        OF_TYPES.forEach((field, types) -> transition.drop(field, transition.leaves(types)));
        ServiceType former = ServiceType.of(before);
        ServiceType type = ServiceType.of(next);
        transition.drop("healthCheckNodePort", former.checksHealth(before) && !type.checksHealth(next));
        transition.drop(
                "externalTrafficPolicy", former.isReachedFromOutside(before) && !type.isReachedFromOutside(next));
    }

    private boolean both(Set<String> types) {
        return types.contains(formerType) && types.contains(type);
    }

    private boolean leaves(Set<String> types) {
        return types.contains(formerType) && !types.contains(type);
    }

    private void keepAddress() {
        if (!both(WITH_ADDRESS)) {
            return;
        }
        if (Json.string(next, "clusterIP").isEmpty() && before.has("clusterIP")) {
            next.set("clusterIP", before.get("clusterIP"));
        }
        if (next.path("clusterIPs").isEmpty() && before.has("clusterIPs")) {
            next.set("clusterIPs", before.get("clusterIPs").deepCopy());
        }
    }

    /** Keeps the node ports of ports that have the same name as before. */
    private void keepNodePorts() {
        if (!both(EXPOSED) || !allocates(before) || !allocates(next)) {
            return;
        }
        Set<Long> taken = new HashSet<>(numbers(before));
        taken.retainAll(numbers(next));
        Map<String, Long> byName = new HashMap<>();
        before.path("ports").forEach(port -> byName.put(Json.string(port, "name"), number(port)));
        for (JsonNode port : next.path("ports")) {
            long former = byName.getOrDefault(Json.string(port, "name"), 0L);
            if (number(port) == 0 && former != 0 && taken.add(former)) {
                ((ObjectNode) port).put("nodePort", former);
            }
        }
    }

    private static boolean allocates(JsonNode spec) {
        return ServiceType.of(spec) == ServiceType.NODE_PORT
                || spec.path("allocateLoadBalancerNodePorts").booleanValue(true);
    }

    private void dropNodePorts() {
        if (leaves(EXPOSED) && numbers(before).equals(numbers(next))) {
            next.path("ports").forEach(port -> ((ObjectNode) port).remove("nodePort"));
        }
    }

    private void keepHealthCheck() {
        boolean both = ServiceType.of(before).checksHealth(before)
                && ServiceType.of(next).checksHealth(next);
        if (both && next.path("healthCheckNodePort").longValue(0) == 0) {
            next.set("healthCheckNodePort", before.get("healthCheckNodePort"));
        }
    }

    private void drop(String field, boolean leaves) {
        if (leaves && JsonEquality.same(before.path(field), next.path(field))) {
            next.remove(List.of(field));
        }
    }

    private static Set<Long> numbers(JsonNode spec) {
        return spec.path("ports")
                .valueStream()
                .map(ServiceTypeTransition::number)
                .filter(number -> number != 0)
                .collect(Collectors.toSet());
    }

    private static long number(JsonNode port) {
        return port.path("nodePort").longValue(0);
    }
}
