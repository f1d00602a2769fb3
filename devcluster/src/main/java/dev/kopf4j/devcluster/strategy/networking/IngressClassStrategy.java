package dev.kopf4j.devcluster.strategy.networking;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import dev.kopf4j.devcluster.value.DnsNames;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Classes of ingresses: {@code ValidateIngressClass} and {@code ValidateIngressClassUpdate} in
 * {@code pkg/apis/networking/validation/validation.go}, v1.33.
 */
final class IngressClassStrategy implements ResourceStrategy {
    @Override
    public void validate(ObjectDraft draft, FieldChecks checks) {
        JsonNode spec = draft.next().path("spec");
        ObjectNode before = draft.before();
        if (before != null) {
            checks.immutable(spec.path("controller"), before.path("spec").path("controller"), "spec.controller");
        }
        controller(Json.string(spec, "controller"), checks);
        if (spec.path("parameters").isObject()) {
            parameters(spec.path("parameters"), "spec.parameters", checks);
        }
    }

    private static void controller(String controller, FieldChecks checks) {
        String path = "spec.controller";
        if (controller.length() > 250) {
            checks.add(new FieldError(FieldError.Type.TOO_LONG, "Too long: may not be more than 250 bytes", path));
        }
        int slash = controller.indexOf('/');
        if (controller.isEmpty()) {
            checks.add(FieldError.required(path, ""));
        } else if (slash <= 0 || slash == controller.length() - 1) {
            checks.problem("must be a domain-prefixed path (such as \"acme.io/foo\")", path, controller);
        } else {
            checks.problem(DnsNames.subdomain(controller.substring(0, slash)), path, controller.substring(0, slash));
        }
    }

    private static void parameters(JsonNode parameters, String path, FieldChecks checks) {
        checks.required(parameters, "kind", path);
        checks.required(parameters, "name", path);
        String group = Json.string(parameters, "apiGroup");
        if (!group.isEmpty()) {
            checks.problem(DnsNames.subdomain(group), path + ".apiGroup", group);
        }
        String scope = Json.string(parameters, "scope");
        boolean hasNamespace = parameters.has("namespace");
        switch (scope) {
            case "" -> checks.add(FieldError.required(path + ".scope", ""));
            case "Cluster" -> {
                if (hasNamespace) {
                    checks.add(FieldError.forbidden(path + ".namespace", "`parameters.scope` is set to 'Cluster'"));
                }
            }
            case "Namespace" -> {
                if (!hasNamespace) {
                    checks.add(FieldError.required(path + ".namespace", "`parameters.scope` is set to 'Namespace'"));
                } else {
                    String namespace = Json.string(parameters, "namespace");
                    checks.problem(DnsNames.label(namespace), path + ".namespace", namespace);
                }
            }
            default ->
                checks.add(FieldError.notSupported(
                        path + ".scope", FieldError.quote(scope), List.of("Cluster", "Namespace")));
        }
    }
}
