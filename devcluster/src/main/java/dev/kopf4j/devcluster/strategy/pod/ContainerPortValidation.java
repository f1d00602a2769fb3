package dev.kopf4j.devcluster.strategy.pod;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.PortValidation;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * Ports of containers: {@code validateContainerPorts} in {@code pkg/apis/core/validation/validation.go}, v1.33. Pure.
 */
final class ContainerPortValidation {
    private ContainerPortValidation() {}

    static void check(JsonNode ports, String path, FieldChecks checks) {
        Set<String> names = new HashSet<>();
        int index = 0;
        for (JsonNode port : ports) {
            String where = path + "[" + index++ + "]";
            if (port.path("containerPort").longValue(0) == 0) {
                checks.add(FieldError.required(where + ".containerPort", ""));
            } else {
                PortValidation.check(port.path("containerPort"), where + ".containerPort", checks);
            }
            if (port.path("hostPort").longValue(0) != 0) {
                PortValidation.check(port.path("hostPort"), where + ".hostPort", checks);
            }
            String name = Json.string(port, "name");
            PortValidation.checkName(name, where + ".name", checks);
            if (!name.isEmpty() && !names.add(name)) {
                checks.add(FieldError.duplicate(where + ".name", FieldError.quote(name)));
            }
            checks.oneOf(port, "protocol", where, List.of("SCTP", "TCP", "UDP"));
        }
    }
}
