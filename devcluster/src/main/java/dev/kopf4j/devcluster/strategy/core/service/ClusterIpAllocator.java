package dev.kopf4j.devcluster.strategy.core.service;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.value.IpAddresses;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Gives services their addresses: {@code txnAllocClusterIPs} and {@code txnUpdateClusterIPs} in
 * {@code pkg/registry/core/service/storage/alloc.go}, v1.33, with the range {@code 10.96.0.0/16}. Thread-safe.
 */
final class ClusterIpAllocator {
    private static final int FIRST = 10;
    private static final IpAddresses.Range RANGE =
            IpAddresses.parseRange("10.96.0.0/16").orElseThrow();
    private final AtomicInteger count = new AtomicInteger(FIRST);
    private final ValuesInUse addresses;

    ClusterIpAllocator(ValuesInUse addresses) {
        this.addresses = addresses;
    }

    /**
     * Sets the address of a service that needs one and has none, or takes the one that it asks for.
     *
     * @param before the spec before; missing for a new service
     * @return why the address cannot be had; empty if it can
     */
    List<FieldError> allocate(JsonNode before, ObjectNode spec) {
        boolean needs = ServiceType.of(spec).hasClusterIp();
        boolean had = before.isObject() && ServiceType.of(before).hasClusterIp();
        JsonNode wanted = spec.path("clusterIPs");
        if (!needs || had || wanted.path(0).stringValue("").equals("None")) {
            return List.of();
        }
        if (wanted.isEmpty()) {
            String address = next();
            spec.put("clusterIP", address);
            spec.set("clusterIPs", Json.array(List.of(address)));
            return List.of();
        }
        String address = wanted.path(0).asString();
        boolean fits = IpAddresses.parse(address).filter(RANGE::contains).isPresent();
        if (fits && addresses.take(address)) {
            return List.of();
        }
        String problem =
                fits ? "provided IP is already allocated" : "the provided network does not match the current range";
        return List.of(FieldError.invalid(
                "spec.clusterIPs", Json.text(wanted), "failed to allocate IP " + address + ": " + problem));
    }

    private String next() {
        while (true) {
            int number = count.getAndIncrement();
            String address = "10.96." + (number / 250 % 256) + "." + (number % 250 + 1);
            if (addresses.take(address)) {
                return address;
            }
        }
    }
}
