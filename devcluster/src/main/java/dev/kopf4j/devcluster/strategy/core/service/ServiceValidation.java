package dev.kopf4j.devcluster.strategy.core.service;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.selector.LabelSyntax;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.LabelSelectorValidation;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.PortValidation;
import dev.kopf4j.devcluster.value.DnsNames;
import dev.kopf4j.json.JsonEquality;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Services: {@code ValidateService} and {@code ValidateServiceUpdate} in
 * {@code pkg/apis/core/validation/validation.go}, v1.33. Pure.
 */
final class ServiceValidation {
    private static final List<String> PLACES = List.of("Cluster", "Local");
    private static final String HEALTH = "spec.healthCheckNodePort";

    private static final String ANNOTATION = "service.beta.kubernetes.io/load-balancer-source-ranges";
    private static final String HINTS = "service.kubernetes.io/topology-aware-hints";
    private static final String MODE = "service.kubernetes.io/topology-mode";
    private static final String SOURCE_RANGE_BALANCERS_ONLY = "may only be used when `type` is 'LoadBalancer'";

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
        checkPorts(spec.path("ports"), type, checks);
        LabelSelectorValidation.labels(spec.path("selector"), "spec.selector", checks);
        affinity(spec, checks);
        ServiceAddressValidation.check(spec, before, checks);
        externalAddresses(spec.path("externalIPs"), before.path("externalIPs"), checks);
        checks.oneOf(spec, "type", "spec", ServiceType.NAMES);
        balancer(spec, type, checks);
        checkTrafficPolicies(spec, before, type, checks);
        checkSourceRanges(draft, type, checks);
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

    /**
     * Ports of services: {@code validateServicePort} and {@code ValidateService} in
     * {@code pkg/apis/core/validation/validation.go}, v1.33.
     */
    private static void checkPorts(JsonNode ports, ServiceType type, FieldChecks checks) {
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

    /**
     * From where a balancer may be reached, by a field or by an annotation, and other annotations:
     * {@code ValidateService} in {@code pkg/apis/core/validation/validation.go}, v1.33.
     */
    private static void checkSourceRanges(ObjectDraft draft, ServiceType type, FieldChecks checks) {
        JsonNode annotations = draft.next().path("metadata").path("annotations");
        topology(annotations, checks);
        JsonNode ranges = draft.next().path("spec").path("loadBalancerSourceRanges");
        if (!ranges.isEmpty()) {
            field(ranges, type, checks);
        } else if (annotations.has(ANNOTATION)) {
            annotation(Json.string(annotations, ANNOTATION).strip(), type, checks);
        }
    }

    private static void topology(JsonNode annotations, FieldChecks checks) {
        String mode = Json.string(annotations, MODE);
        if (annotations.has(MODE) && annotations.has(HINTS) && !mode.equals(Json.string(annotations, HINTS))) {
            String rule = "must match annotations[" + HINTS + "] when both are specified";
            checks.problem(rule, "metadata.annotations[" + MODE + "]", mode);
        }
    }

    private static void field(JsonNode ranges, ServiceType type, FieldChecks checks) {
        String path = "spec.LoadBalancerSourceRanges"; // written so in Kubernetes
        if (type != ServiceType.LOAD_BALANCER) {
            checks.add(FieldError.forbidden(path, SOURCE_RANGE_BALANCERS_ONLY));
        }
        for (int index = 0; index < ranges.size(); index++) {
            AddressFields.range(ranges.get(index).asString().strip(), path + "[" + index + "]", checks);
        }
    }

    private static void annotation(String text, ServiceType type, FieldChecks checks) {
        String path = "metadata.annotations[" + ANNOTATION + "]";
        if (type != ServiceType.LOAD_BALANCER) {
            checks.add(FieldError.forbidden(path, SOURCE_RANGE_BALANCERS_ONLY));
        }
        if (!text.isEmpty()) {
            for (String range : text.split(",", -1)) {
                AddressFields.range(range.strip(), path, checks);
            }
        }
    }

    /**
     * Where the traffic of services goes: {@code validateServiceExternalTrafficPolicy},
     * {@code validateServiceInternalTrafficFieldsValue} and {@code validateServiceTrafficDistribution} in
     * {@code pkg/apis/core/validation/validation.go}, v1.33.
     */
    private static void checkTrafficPolicies(JsonNode spec, JsonNode before, ServiceType type, FieldChecks checks) {
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
