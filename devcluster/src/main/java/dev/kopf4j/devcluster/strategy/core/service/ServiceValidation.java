package dev.kopf4j.devcluster.strategy.core.service;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.json.JsonEquality;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.LabelSelectorValidation;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Services: {@code ValidateService} and {@code ValidateServiceUpdate} in
 * {@code pkg/apis/core/validation/validation.go}, v1.33. Pure.
 */
final class ServiceValidation {
    private ServiceValidation() {}

    static void check(ObjectDraft draft, FieldChecks checks) {
        JsonNode spec = draft.next().path("spec");
        ServiceType type = ServiceType.of(spec);
        checks.oneOf(spec, "type", "spec", ServiceType.NAMES);
        checks.oneOf(spec, "sessionAffinity", "spec", List.of("ClientIP", "None"));
        boolean headless = Json.string(spec, "clusterIP").equals("None");
        if (spec.path("ports").isEmpty() && !headless && type.hasClusterIp()) {
            checks.add(FieldError.required("spec.ports", ""));
        }
        if (!type.hasClusterIp() && Json.string(spec, "externalName").isEmpty()) {
            checks.add(FieldError.required("spec.externalName", ""));
        }
        if (headless && type.isExposed()) {
            checks.problem(
                    "may not be set to 'None' for " + Json.string(spec, "type") + " services",
                    "spec.clusterIPs[0]",
                    "None");
        }
        ServicePortValidation.check(spec.path("ports"), type, checks);
        LabelSelectorValidation.labels(spec.path("selector"), "spec.selector", checks);
        ObjectNode before = draft.before();
        if (before != null && type.hasClusterIp()) {
            fixedAddress(before.path("spec"), spec, checks);
        }
    }

    private static void fixedAddress(JsonNode before, JsonNode spec, FieldChecks checks) {
        boolean had = !Json.string(before, "clusterIP").isEmpty();
        JsonNode addresses = spec.path("clusterIPs");
        if (had && !JsonEquality.same(before.path("clusterIPs"), addresses)) {
            checks.add(FieldError.invalid("spec.clusterIPs[0]", Json.text(addresses), "may not change once set"));
        }
    }
}
