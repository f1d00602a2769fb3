package dev.kopf4j.devcluster.strategy.core.service;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.json.JsonEquality;
import dev.kopf4j.devcluster.selector.LabelSyntax;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.LabelSelectorValidation;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.value.DnsNames;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Services: {@code ValidateService} and {@code ValidateServiceUpdate} in
 * {@code pkg/apis/core/validation/validation.go}, v1.33. Pure.
 */
final class ServiceValidation {
    private static final int LONGEST_AFFINITY = 86400;
    private static final String BALANCERS_ONLY = "may only be used when `type` is 'LoadBalancer'";

    private ServiceValidation() {}

    /** The spec before a change; missing for a new service. */
    static JsonNode before(ObjectDraft draft) {
        ObjectNode before = draft.before();
        return before == null ? Json.missing() : before.path("spec");
    }

    static void check(ObjectDraft draft, FieldChecks checks) {
        JsonNode spec = draft.next().path("spec");
        JsonNode before = before(draft);
        ServiceType type = ServiceType.of(spec);
        if (before.isObject()) {
            ServiceAddressValidation.update(spec, before, checks);
            balancerClassStays(spec, before, checks);
        }
        if (spec.path("ports").isEmpty() && !ServiceType.isHeadless(spec) && type.hasClusterIp()) {
            checks.add(FieldError.required("spec.ports", ""));
        }
        ofType(spec, type, checks);
        ServicePortValidation.check(spec.path("ports"), type, checks);
        LabelSelectorValidation.labels(spec.path("selector"), "spec.selector", checks);
        affinity(spec, checks);
        ServiceAddressValidation.check(spec, before, checks);
        externalAddresses(spec.path("externalIPs"), before.path("externalIPs"), checks);
        checks.oneOf(spec, "type", "spec", ServiceType.NAMES);
        balancer(spec, type, checks);
        TrafficPolicyValidation.check(spec, before, type, checks);
        SourceRangeValidation.check(draft, type, checks);
    }

    private static void ofType(JsonNode spec, ServiceType type, FieldChecks checks) {
        if (type.isExposed() && ServiceType.isHeadless(spec)) {
            String rule = "may not be set to 'None' for " + Json.string(spec, "type") + " services";
            checks.problem(rule, "spec.clusterIPs[0]", "None");
        }
        if (type.hasClusterIp()) {
            return;
        }
        for (String field : List.of("clusterIPs", "ipFamilies", "ipFamilyPolicy")) {
            JsonNode value = spec.path(field);
            if (value.isString() || !value.isEmpty()) {
                checks.add(FieldError.forbidden("spec." + field, "may not be set for ExternalName services"));
            }
        }
        String name = Json.string(spec, "externalName");
        String plain = name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
        if (plain.isEmpty()) {
            checks.add(FieldError.required("spec.externalName", ""));
        } else {
            checks.problem(DnsNames.subdomain(plain), "spec.externalName", plain);
        }
    }

    private static void affinity(JsonNode spec, FieldChecks checks) {
        checks.oneOf(spec, "sessionAffinity", "spec", List.of("ClientIP", "None"));
        JsonNode seconds = spec.path("sessionAffinityConfig").path("clientIP").path("timeoutSeconds");
        boolean wrong = seconds.isNumber() && (seconds.longValue() <= 0 || seconds.longValue() > LONGEST_AFFINITY);
        if (wrong && Json.string(spec, "sessionAffinity").equals("ClientIP")) {
            checks.add(FieldError.invalid(
                    "spec.sessionAffinityConfig.clientIP.timeoutSeconds",
                    seconds.asString(),
                    "must be greater than 0 and less than " + LONGEST_AFFINITY));
        }
    }

    private static void externalAddresses(JsonNode addresses, JsonNode before, FieldChecks checks) {
        for (int index = 0; index < addresses.size(); index++) {
            String path = "spec.externalIPs[" + index + "]";
            String address = addresses.get(index).asString();
            if (AddressFields.address(address, path, before, checks)) {
                AddressFields.reachable(address, path, checks);
            }
        }
    }

    private static void balancerClassStays(JsonNode spec, JsonNode before, FieldChecks checks) {
        boolean both = ServiceType.of(spec) == ServiceType.LOAD_BALANCER
                && ServiceType.of(before) == ServiceType.LOAD_BALANCER;
        JsonNode now = spec.path("loadBalancerClass");
        if (both && !JsonEquality.same(now, before.path("loadBalancerClass"))) {
            checks.add(FieldError.invalid("spec.loadBalancerClass", Json.text(now), "may not change once set"));
            balancerClass(now, checks);
        }
    }

    private static void balancer(JsonNode spec, ServiceType type, FieldChecks checks) {
        JsonNode name = spec.path("loadBalancerClass");
        if (type == ServiceType.LOAD_BALANCER) {
            balancerClass(name, checks);
            return;
        }
        if (spec.has("allocateLoadBalancerNodePorts")) {
            checks.add(FieldError.forbidden("spec.allocateLoadBalancerNodePorts", BALANCERS_ONLY));
        }
        if (name.isString()) {
            checks.add(FieldError.forbidden("spec.loadBalancerClass", BALANCERS_ONLY));
        }
    }

    private static void balancerClass(JsonNode name, FieldChecks checks) {
        if (name.isString()) {
            checks.problem(LabelSyntax.key(name.stringValue()), "spec.loadBalancerClass", name.stringValue());
        }
    }
}
