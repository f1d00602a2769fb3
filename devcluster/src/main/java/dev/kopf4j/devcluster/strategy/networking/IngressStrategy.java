package dev.kopf4j.devcluster.strategy.networking;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import dev.kopf4j.devcluster.value.DnsNames;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * Ingresses: {@code ValidateIngressSpec} in {@code pkg/apis/networking/validation/validation.go},
 * {@code WarningsOnCreate} in {@code pkg/registry/networking/ingress/strategy.go}, v1.33.
 */
final class IngressStrategy implements ResourceStrategy {
    private static final String CLASS = "kubernetes.io/ingress.class";

    @Override
    public List<String> warnings(ObjectDraft draft) {
        boolean deprecated = draft.isNew()
                && draft.next().path("metadata").path("annotations").has(CLASS);
        return deprecated
                ? List.of("annotation \"" + CLASS + "\" is deprecated, please use 'spec.ingressClassName' instead")
                : List.of();
    }

    @Override
    public void validate(ObjectDraft draft, FieldChecks checks) {
        JsonNode spec = draft.next().path("spec");
        if (spec.path("rules").isEmpty() && !spec.has("defaultBackend")) {
            checks.add(FieldError.invalid("spec", "{}", "either `defaultBackend` or `rules` must be specified"));
        }
        if (spec.has("defaultBackend")) {
            IngressBackendValidation.check(spec.path("defaultBackend"), "spec.defaultBackend", checks);
        }
        IngressRuleValidation.check(spec.path("rules"), "spec.rules", checks);
        IngressRuleValidation.hosts(spec.path("tls"), "spec.tls", checks);
        if (spec.has("ingressClassName")) {
            String name = Json.string(spec, "ingressClassName");
            checks.problem(DnsNames.subdomain(name), "spec.ingressClassName", name);
        }
    }
}
