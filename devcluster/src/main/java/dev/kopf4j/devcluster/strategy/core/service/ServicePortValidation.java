package dev.kopf4j.devcluster.strategy.core.service;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.selector.LabelSyntax;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.PortValidation;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * Ports of services: {@code validateServicePort} and {@code ValidateService} in
 * {@code pkg/apis/core/validation/validation.go}, v1.33. Pure.
 */
final class ServicePortValidation {
    private ServicePortValidation() {}

    static void check(JsonNode ports, ServiceType type, FieldChecks checks) {
        Set<String> names = new HashSet<>();
        for (int index = 0; index < ports.size(); index++) {
            port(ports.get(index), "spec.ports[" + index + "]", ports.size() > 1, names, checks);
        }
        Set<String> numbers = new HashSet<>();
        Set<String> nodePorts = new HashSet<>();
        for (int index = 0; index < ports.size(); index++) {
            JsonNode port = ports.get(index);
            String path = "spec.ports[" + index + "]";
            String protocol = "/" + Json.string(port, "protocol");
            long nodePort = port.path("nodePort").longValue(0);
            if (nodePort != 0 && type == ServiceType.CLUSTER_IP) {
                checks.add(FieldError.forbidden(path + ".nodePort", "may not be used when `type` is 'ClusterIP'"));
            }
            if (nodePort != 0 && !nodePorts.add(nodePort + protocol)) {
                checks.add(FieldError.duplicate(path + ".nodePort", String.valueOf(nodePort)));
            }
            if (!numbers.add(port.path("port").asString() + protocol)) {
                checks.add(FieldError.duplicate(path, Json.text(port)));
            }
        }
    }

    private static void port(JsonNode port, String path, boolean named, Set<String> names, FieldChecks checks) {
        String name = Json.string(port, "name");
        if (!name.isEmpty() || named) {
            checks.label(port, "name", path);
        }
        if (!name.isEmpty() && !names.add(name)) {
            checks.add(FieldError.duplicate(path + ".name", FieldError.quote(name)));
        }
        PortValidation.check(port.path("port"), path + ".port", checks);
        PortValidation.check(port.path("targetPort"), path + ".targetPort", checks);
        checks.oneOf(port, "protocol", path, List.of("SCTP", "TCP", "UDP"));
        String application = Json.string(port, "appProtocol");
        if (!application.isEmpty()) {
            checks.problem(LabelSyntax.key(application), path + ".appProtocol", application);
        }
    }
}
