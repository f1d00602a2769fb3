package dev.kopf4j.devcluster.strategy.networking;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.PortValidation;
import tools.jackson.databind.JsonNode;

/**
 * Backends of ingresses: {@code validateIngressBackend} in {@code pkg/apis/networking/validation/validation.go}, v1.33.
 * Pure.
 */
final class IngressBackendValidation {
    private IngressBackendValidation() {}

    static void check(JsonNode backend, String path, FieldChecks checks) {
        JsonNode service = backend.path("service");
        boolean resource = backend.path("resource").isObject();
        if (service.isObject() && resource) {
            checks.add(FieldError.invalid(path, "\"\"", "cannot set both resource and service backends"));
        } else if (service.isObject()) {
            service(service, path + ".service", checks);
        } else if (!resource) {
            checks.add(FieldError.required(path, "a service or a resource is needed"));
        }
    }

    private static void service(JsonNode service, String path, FieldChecks checks) {
        checks.required(service, "name", path);
        JsonNode port = service.path("port");
        boolean named = !Json.string(port, "name").isEmpty();
        boolean numbered = port.path("number").longValue(0) != 0;
        if (!named && !numbered) {
            checks.add(FieldError.required(path, "port name or number is required"));
        } else if (named && numbered) {
            checks.add(FieldError.invalid(path, "\"\"", "cannot set both port name & port number"));
        } else if (numbered) {
            PortValidation.check(port.path("number"), path + ".port.number", checks);
        }
    }
}
