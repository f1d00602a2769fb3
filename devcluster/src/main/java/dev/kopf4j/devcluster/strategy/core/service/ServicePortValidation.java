package dev.kopf4j.devcluster.strategy.core.service;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.PortValidation;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * Ports of services: {@code validateServicePort} in {@code pkg/apis/core/validation/validation.go}, and the range of
 * node ports by {@code pkg/registry/core/service/portallocator/allocator.go}, v1.33. Pure.
 */
final class ServicePortValidation {
    private ServicePortValidation() {}

    static void check(JsonNode ports, ServiceType type, FieldChecks checks) {
        Set<String> names = new HashSet<>();
        Set<String> numbers = new HashSet<>();
        for (int index = 0; index < ports.size(); index++) {
            JsonNode port = ports.get(index);
            String path = "spec.ports[" + index + "]";
            String name = Json.string(port, "name");
            if (!name.isEmpty() || ports.size() > 1) {
                checks.label(port, "name", path);
            }
            if (!name.isEmpty() && !names.add(name)) {
                checks.add(FieldError.duplicate(path + ".name", FieldError.quote(name)));
            }
            PortValidation.check(port.path("port"), path + ".port", checks);
            PortValidation.check(port.path("targetPort"), path + ".targetPort", checks);
            checks.oneOf(port, "protocol", path, List.of("SCTP", "TCP", "UDP"));
            nodePort(port.path("nodePort").longValue(0), type, path + ".nodePort", checks);
            if (!numbers.add(port.path("port").asString() + "/" + Json.string(port, "protocol"))) {
                checks.add(FieldError.duplicate(path, Json.text(port)));
            }
        }
    }

    private static void nodePort(long number, ServiceType type, String path, FieldChecks checks) {
        if (number == 0) {
            return;
        }
        if (type == ServiceType.CLUSTER_IP) {
            checks.add(FieldError.forbidden(path, "may not be used when `type` is 'ClusterIP'"));
        } else if (number < NodePortAllocator.FIRST || number > NodePortAllocator.LAST) {
            checks.add(FieldError.invalid(
                    path,
                    String.valueOf(number),
                    "provided port is not in the valid range. The range of valid ports is " + NodePortAllocator.FIRST
                            + "-" + NodePortAllocator.LAST));
        }
    }
}
