package dev.kopf4j.devcluster.strategy.pod;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Probes of containers. */
final class ProbeValidation {
    private static final List<String> HANDLERS = List.of("exec", "httpGet", "tcpSocket", "grpc");
    private static final List<String> COUNTS =
            List.of("initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold");

    private ProbeValidation() {}

    static void check(JsonNode container, String list, String path, FieldChecks fieldChecks) {
        for (String name : List.of("livenessProbe", "readinessProbe", "startupProbe")) {
            JsonNode probe = container.path(name);
            if (!probe.isObject()) {
                continue;
            }
            String where = path + "." + name;
            boolean sidecar = Json.string(container, "restartPolicy").equals("Always");
            if (list.equals("initContainers") && !sidecar) {
                fieldChecks.add(
                        FieldError.forbidden(where, "may not be set for init containers without restartPolicy=Always"));
                continue;
            }
            probe(probe, where, fieldChecks);
            if (!name.equals("readinessProbe") && probe.path("successThreshold").longValue(1) != 1) {
                fieldChecks.add(FieldError.invalid(
                        where + ".successThreshold",
                        probe.path("successThreshold").asString(),
                        "must be 1"));
            }
        }
    }

    private static void probe(JsonNode probe, String path, FieldChecks fieldChecks) {
        List<String> handlers = HANDLERS.stream().filter(probe::has).toList();
        if (handlers.isEmpty()) {
            fieldChecks.add(FieldError.required(path, "must specify a handler type"));
        }
        for (String second : handlers.subList(Math.min(1, handlers.size()), handlers.size())) {
            fieldChecks.add(FieldError.forbidden(path + "." + second, "may not specify more than 1 handler type"));
        }
        for (String count : COUNTS) {
            fieldChecks.atLeast(probe, count, path, 0);
        }
        JsonNode http = probe.path("httpGet");
        if (http.isObject()) {
            fieldChecks.port(http.path("port"), path + ".httpGet.port");
            fieldChecks.oneOf(http, "scheme", path + ".httpGet", List.of("HTTP", "HTTPS"));
        }
        if (probe.has("tcpSocket")) {
            fieldChecks.port(probe.path("tcpSocket").path("port"), path + ".tcpSocket.port");
        }
        if (probe.has("exec") && probe.path("exec").path("command").isEmpty()) {
            fieldChecks.add(FieldError.required(path + ".exec.command", ""));
        }
    }
}
