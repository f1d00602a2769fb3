package dev.kopf4j.devcluster.controller.workload;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.value.Quantity;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BinaryOperator;
import tools.jackson.databind.JsonNode;

/**
 * Whether what a pod asks for is left on a node: {@code fitsRequest} in
 * {@code pkg/scheduler/framework/plugins/noderesources/fit.go}, v1.33, without the number of pods. Pure.
 */
final class NodeRoom {
    private NodeRoom() {}

    /** Whether a pod with that spec asks for anything. */
    static boolean isAskedFor(JsonNode spec) {
        return requests(spec).values().stream().anyMatch(amount -> amount.signum() > 0);
    }

    /**
     * Whether it is there.
     *
     * @param others the specs of the pods that have the node and have not ended
     */
    static boolean has(JsonNode node, JsonNode spec, List<JsonNode> others) {
        Map<String, BigDecimal> taken = new HashMap<>();
        others.forEach(other -> requests(other).forEach((name, amount) -> taken.merge(name, amount, BigDecimal::add)));
        JsonNode allocatable = node.path("status").path("allocatable");
        return requests(spec).entrySet().stream()
                .filter(asked -> asked.getValue().signum() > 0)
                .allMatch(asked -> amount(allocatable, asked.getKey())
                                .subtract(taken.getOrDefault(asked.getKey(), BigDecimal.ZERO))
                                .compareTo(asked.getValue())
                        >= 0);
    }

    /** Containers run together; each of those before them runs alone, but for sidecars. */
    private static Map<String, BigDecimal> requests(JsonNode spec) {
        Map<String, BigDecimal> sum = new HashMap<>();
        spec.path("containers").forEach(container -> add(sum, container.path("resources"), BigDecimal::add));
        for (JsonNode container : spec.path("initContainers")) {
            boolean sidecar = Json.string(container, "restartPolicy").equals("Always");
            add(sum, container.path("resources"), sidecar ? BigDecimal::add : BigDecimal::max);
        }
        spec.path("overhead")
                .propertyNames()
                .forEach(name -> sum.merge(name, amount(spec.path("overhead"), name), BigDecimal::add));
        return sum;
    }

    private static void add(Map<String, BigDecimal> sum, JsonNode resources, BinaryOperator<BigDecimal> how) {
        JsonNode requests = resources.path("requests");
        requests.propertyNames().forEach(name -> sum.merge(name, amount(requests, name), how));
    }

    private static BigDecimal amount(JsonNode amounts, String name) {
        String text = amounts.path(name).asString("");
        return text.isEmpty() ? BigDecimal.ZERO : Quantity.value(text);
    }
}
