package dev.kopf4j.devcluster.strategy.networking;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.PortValidation;
import dev.kopf4j.devcluster.value.DnsNames;
import java.util.List;
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
            service(service, path, checks);
        } else if (resource) {
            resource(backend.path("resource"), path + ".resource", checks);
        } else {
            checks.add(FieldError.invalid(path, "\"\"", "resource or service backend is required"));
        }
    }

    private static void resource(JsonNode resource, String path, FieldChecks checks) {
        String group = Json.string(resource, "apiGroup");
        if (!group.isEmpty()) {
            checks.problem(DnsNames.subdomain(group), path + ".apiGroup", group);
        }
        for (String field : List.of("kind", "name")) {
            checks.required(resource, field, path);
            String value = Json.string(resource, field);
            if (!value.isEmpty()) {
                checks.problem(DnsNames.pathSegment(value), path + "." + field, value);
            }
        }
    }

    private static void service(JsonNode service, String path, FieldChecks checks) {
        checks.required(service, "name", path + ".service");
        String name = Json.string(service, "name");
        if (!name.isEmpty()) {
            checks.problem(DnsNames.label1035(name), path + ".service.name", name);
        }
        JsonNode port = service.path("port");
        boolean named = !Json.string(port, "name").isEmpty();
        boolean numbered = port.path("number").longValue(0) != 0;
        if (!named && !numbered) {
            checks.add(FieldError.required(path, "port name or number is required"));
        } else if (named && numbered) {
            checks.add(FieldError.invalid(path, "\"\"", "cannot set both port name & port number"));
        } else if (named) {
            PortValidation.checkName(Json.string(port, "name"), path + ".service.port.name", checks);
        } else if (numbered) {
            PortValidation.check(port.path("number"), path + ".service.port.number", checks);
        }
    }
}
