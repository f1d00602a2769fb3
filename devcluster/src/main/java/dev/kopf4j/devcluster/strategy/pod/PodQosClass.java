package dev.kopf4j.devcluster.strategy.pod;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.value.Quantity;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * The class of a pod's quality of service: {@code ComputePodQOS} in {@code pkg/apis/core/helper/qos/qos.go}, v1.33.
 * Pure.
 */
public final class PodQosClass {
    private PodQosClass() {}

    /** The class of a spec: BestEffort, Burstable or Guaranteed. */
    public static String of(JsonNode spec) {
        boolean anything = false;
        boolean guaranteed = true;
        for (String list : List.of("initContainers", "containers")) {
            for (JsonNode container : spec.path(list)) {
                JsonNode limits = container.path("resources").path("limits");
                JsonNode requests = container.path("resources").path("requests");
                anything |= counts(limits) || counts(requests);
                guaranteed &= isGuaranteed(limits, requests, "cpu") && isGuaranteed(limits, requests, "memory");
            }
        }
        return !anything ? "BestEffort" : guaranteed ? "Guaranteed" : "Burstable";
    }

    private static boolean counts(JsonNode amounts) {
        return amounts.has("cpu") || amounts.has("memory");
    }

    private static boolean isGuaranteed(JsonNode limits, JsonNode requests, String resource) {
        String limit = Json.string(limits, resource);
        String request = Json.string(requests, resource);
        return !limit.isEmpty() && (request.isEmpty() || Quantity.value(limit).compareTo(Quantity.value(request)) == 0);
    }
}
