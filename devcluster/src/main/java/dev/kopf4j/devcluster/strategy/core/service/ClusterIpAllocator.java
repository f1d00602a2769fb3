package dev.kopf4j.devcluster.strategy.core.service;

import dev.kopf4j.devcluster.json.Json;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Gives services their addresses and IP families: {@code pkg/registry/core/service/storage/alloc.go}, v1.33. Only
 * counts addresses up and never reuses one, because there is no network. Thread-safe.
 */
final class ClusterIpAllocator {
    private static final int FIRST = 10;
    private final AtomicInteger count = new AtomicInteger(FIRST);

    /** Sets the addresses and families that a spec does not set. */
    void assign(ObjectNode spec) {
        boolean headless = Json.string(spec, "clusterIP").equals("None")
                || spec.path("clusterIPs").path(0).stringValue("").equals("None");
        if (Json.string(spec, "clusterIP").isEmpty()) {
            JsonNode addresses = spec.path("clusterIPs");
            spec.put(
                    "clusterIP",
                    addresses.isEmpty() ? next() : addresses.path(0).stringValue(""));
        }
        if (spec.path("clusterIPs").isEmpty()) {
            spec.set("clusterIPs", Json.array(List.of(Json.string(spec, "clusterIP"))));
        }
        // A headless service without a selector may have endpoints of each family: initIPFamilyFields in alloc.go.
        boolean anyFamily = headless && spec.path("selector").isEmpty();
        ServiceStrategy.setIfEmpty(spec, "ipFamilyPolicy", anyFamily ? "RequireDualStack" : "SingleStack");
        if (spec.path("ipFamilies").isEmpty()) {
            spec.set("ipFamilies", Json.array(anyFamily ? List.of("IPv4", "IPv6") : List.of("IPv4")));
        }
    }

    private String next() {
        int number = count.getAndIncrement();
        return "10.96." + (number / 250 % 256) + "." + (number % 250 + 1);
    }
}
