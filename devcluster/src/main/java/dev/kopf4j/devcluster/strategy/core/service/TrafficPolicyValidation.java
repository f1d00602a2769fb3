package dev.kopf4j.devcluster.strategy.core.service;

import dev.kopf4j.devcluster.json.JsonEquality;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.PortValidation;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * Where the traffic of services goes: {@code validateServiceExternalTrafficPolicy},
 * {@code validateServiceInternalTrafficFieldsValue} and {@code validateServiceTrafficDistribution} in
 * {@code pkg/apis/core/validation/validation.go}, v1.33. Pure.
 */
final class TrafficPolicyValidation {
    private static final List<String> PLACES = List.of("Cluster", "Local");
    private static final String HEALTH = "spec.healthCheckNodePort";

    private TrafficPolicyValidation() {}

    static void check(JsonNode spec, JsonNode before, ServiceType type, FieldChecks checks) {
        JsonNode policy = spec.path("externalTrafficPolicy");
        if (type.isReachedFromOutside(spec)) {
            checks.oneOf(spec, "externalTrafficPolicy", "spec", PLACES);
        } else if (policy.isString()) {
            checks.problem(
                    "may only be set for externally-accessible services",
                    "spec.externalTrafficPolicy",
                    policy.stringValue());
        }
        health(spec, before, type, checks);
        checks.oneOf(spec, "internalTrafficPolicy", "spec", PLACES);
        checks.oneOf(spec, "trafficDistribution", "spec", List.of("PreferClose"));
    }

    private static void health(JsonNode spec, JsonNode before, ServiceType type, FieldChecks checks) {
        JsonNode port = spec.path("healthCheckNodePort");
        boolean set = port.longValue(0) != 0;
        if (type.checksHealth(spec)) {
            boolean had = ServiceType.of(before).checksHealth(before);
            if (had && !JsonEquality.same(port, before.path("healthCheckNodePort"))) {
                checks.add(FieldError.forbidden(HEALTH, "field is immutable"));
            }
            PortValidation.check(port, HEALTH, checks);
        } else if (set) {
            checks.add(FieldError.invalid(
                    HEALTH,
                    port.asString(),
                    "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'"));
        }
    }
}
