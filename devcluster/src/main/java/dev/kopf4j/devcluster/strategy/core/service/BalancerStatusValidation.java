package dev.kopf4j.devcluster.strategy.core.service;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.value.DnsNames;
import dev.kopf4j.devcluster.value.IpAddresses;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * Addresses of balancers: {@code ValidateLoadBalancerStatus} in {@code pkg/apis/core/validation/validation.go}, v1.33.
 * Pure.
 */
final class BalancerStatusValidation {
    private static final String PATH = "status.loadBalancer.ingress";

    private BalancerStatusValidation() {}

    static void check(ObjectDraft draft, FieldChecks checks) {
        JsonNode points = draft.next().path("status").path("loadBalancer").path("ingress");
        if (ServiceType.of(draft.next().path("spec")) != ServiceType.LOAD_BALANCER && !points.isEmpty()) {
            checks.add(FieldError.forbidden(PATH, "may only be used when `spec.type` is 'LoadBalancer'"));
            return;
        }
        for (int index = 0; index < points.size(); index++) {
            point(points.get(index), PATH + "[" + index + "]", checks);
        }
    }

    private static void point(JsonNode point, String path, FieldChecks checks) {
        String address = Json.string(point, "ip");
        if (!address.isEmpty()) {
            AddressFields.address(address, path + ".ip", Json.missing(), checks);
        } else if (point.has("ipMode")) {
            checks.add(FieldError.forbidden(path + ".ipMode", "may not be specified when `ip` is not set"));
        }
        if (!address.isEmpty()) {
            checks.oneOf(point, "ipMode", path, List.of("Proxy", "VIP"));
        }
        String host = Json.string(point, "hostname");
        if (!host.isEmpty()) {
            checks.problem(DnsNames.subdomain(host), path + ".hostname", host);
            if (IpAddresses.parse(host).isPresent()) {
                checks.problem("must be a DNS name, not an IP address", path + ".hostname", host);
            }
        }
    }
}
