package dev.kopf4j.devcluster.strategy.pod;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.PortValidation;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * Probes of containers: {@code validateProbe}, {@code validateLivenessProbe}, {@code validateReadinessProbe} and
 * {@code validateStartupProbe} in {@code pkg/apis/core/validation/validation.go}, v1.33. Pure.
 */
final class ProbeValidation {
    private static final List<String> HANDLERS = List.of("exec", "httpGet", "tcpSocket", "grpc");
    private static final List<String> COUNTS =
            List.of("initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold");

    private ProbeValidation() {}

    static void check(JsonNode container, String list, String path, FieldChecks checks) {
        boolean sidecar = Json.string(container, "restartPolicy").equals("Always");
        for (String name : List.of("livenessProbe", "readinessProbe", "startupProbe")) {
            JsonNode probe = container.path(name);
            String where = path + "." + name;
            if (!probe.isObject()) {
                continue;
            }
            if (list.equals("initContainers") && !sidecar) {
                checks.add(
                        FieldError.forbidden(where, "may not be set for init containers without restartPolicy=Always"));
                continue;
            }
            probe(probe, where, checks);
            JsonNode threshold = probe.path("successThreshold");
            if (!name.equals("readinessProbe") && threshold.longValue(1) != 1) {
                checks.add(FieldError.invalid(where + ".successThreshold", threshold.asString(), "must be 1"));
            }
        }
    }

    private static void probe(JsonNode probe, String path, FieldChecks checks) {
        List<String> handlers = HANDLERS.stream().filter(probe::has).toList();
        if (handlers.isEmpty()) {
            checks.add(FieldError.required(path, "must specify a handler type"));
        }
        for (String second : handlers.subList(Math.min(1, handlers.size()), handlers.size())) {
            checks.add(FieldError.forbidden(path + "." + second, "may not specify more than 1 handler type"));
        }
        for (String count : COUNTS) {
            checks.atLeast(probe, count, path, 0);
        }
        handler(probe, path, checks);
    }

    private static void handler(JsonNode probe, String path, FieldChecks checks) {
        JsonNode http = probe.path("httpGet");
        if (http.isObject()) {
            PortValidation.check(http.path("port"), path + ".httpGet.port", checks);
            checks.oneOf(http, "scheme", path + ".httpGet", List.of("HTTP", "HTTPS"));
        }
        if (probe.has("tcpSocket")) {
            PortValidation.check(probe.path("tcpSocket").path("port"), path + ".tcpSocket.port", checks);
        }
        if (probe.has("exec") && probe.path("exec").path("command").isEmpty()) {
            checks.add(FieldError.required(path + ".exec.command", ""));
        }
    }
}
