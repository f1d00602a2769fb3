package dev.kopf4j.devcluster.strategy.core.service;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.json.JsonEquality;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Guesses {@code clusterIPs} from {@code clusterIP}, for clients that know only the one: {@code normalizeClusterIPs} in
 * {@code pkg/registry/core/service/storage/storage.go}, v1.33. Pure.
 */
final class ClusterIpFields {
    private ClusterIpFields() {}

    /**
     * Sets the addresses of a spec.
     *
     * @param before the spec before; missing for a new service
     */
    static void normalize(JsonNode before, ObjectNode spec) {
        String address = Json.string(spec, "clusterIP");
        if (!before.isObject()) {
            if (!address.isEmpty() && spec.path("clusterIPs").isEmpty()) {
                set(spec, address);
            }
            return;
        }
        String former = Json.string(before, "clusterIP");
        boolean changed = !former.equals(address);
        boolean unset = spec.path("clusterIPs").isEmpty();
        if (!changed && unset && !before.path("clusterIPs").isEmpty()) {
            spec.set("clusterIPs", before.get("clusterIPs").deepCopy());
        }
        if (changed && JsonEquality.same(before.path("clusterIPs"), spec.path("clusterIPs"))) {
            set(spec, address);
        }
    }

    private static void set(ObjectNode spec, String address) {
        spec.set("clusterIPs", Json.array(List.of(address)));
    }
}
