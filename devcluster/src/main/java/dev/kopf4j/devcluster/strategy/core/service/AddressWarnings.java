package dev.kopf4j.devcluster.strategy.core.service;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.value.IpAddresses;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * Warnings about services: addresses that will be refused one day, and fields without effect. See
 * {@code GetWarningsForService} in {@code pkg/api/service/warnings.go} and {@code GetWarningsForIP} in
 * {@code pkg/util/validation/ip.go} of apimachinery, v1.33. Pure.
 */
final class AddressWarnings {
    private static final String HINTS = "service.kubernetes.io/topology-aware-hints";

    private AddressWarnings() {}

    static List<String> of(JsonNode service) {
        List<String> warnings = new ArrayList<>();
        if (service.path("metadata").path("annotations").has(HINTS)) {
            warnings.add(
                    "annotation " + HINTS + " is deprecated, please use service.kubernetes.io/topology-mode instead");
        }
        JsonNode spec = service.path("spec");
        int index = 0;
        for (JsonNode address : spec.path("externalIPs")) {
            ofAddress(address.asString(), "spec.externalIPs[" + index++ + "]").ifPresent(warnings::add);
        }
        String balancer = Json.string(spec, "loadBalancerIP");
        if (!balancer.isEmpty()) {
            ofAddress(balancer, "spec.loadBalancerIP").ifPresent(warnings::add);
        }
        boolean external = Json.string(spec, "type").equals("ExternalName");
        if (external && !spec.path("externalIPs").isEmpty()) {
            warnings.add("spec.externalIPs is ignored when spec.type is \"ExternalName\"");
        }
        if (!external && !Json.string(spec, "externalName").isEmpty()) {
            warnings.add("spec.externalName is ignored when spec.type is not \"ExternalName\"");
        }
        return warnings;
    }

    private static Optional<String> ofAddress(String address, String path) {
        String plain = withoutZeros(address);
        if (!plain.equals(address)) {
            return Optional.of(path + ": non-standard IP address " + FieldError.quote(address)
                    + " will be considered invalid in a future Kubernetes release: use " + FieldError.quote(plain));
        }
        return IpAddresses.parse(address)
                .map(IpAddresses::shown)
                .filter(shown -> address.contains(":") && !shown.equals(address))
                .map(shown -> path + ": IPv6 address " + FieldError.quote(address)
                        + " should be in RFC 5952 canonical format (" + FieldError.quote(shown) + ")");
    }

    /** Go once read 010 as 10. */
    static String withoutZeros(String address) {
        return address.matches("[0-9]{1,3}(\\.[0-9]{1,3}){3}")
                ? Arrays.stream(address.split("\\.", -1))
                        .map(part -> String.valueOf(Integer.parseInt(part)))
                        .collect(Collectors.joining("."))
                : address;
    }
}
