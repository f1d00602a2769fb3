package dev.kopf4j.devcluster.strategy.core.service;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.value.IpAddresses;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
        if (!ServiceType.isHeadless(spec)) {
            ofAddresses(spec, "clusterIPs", warnings);
        }
        ofAddresses(spec, "externalIPs", warnings);
        String balancer = Json.string(spec, "loadBalancerIP");
        if (!balancer.isEmpty()) {
            ofAddress(balancer, "spec.loadBalancerIP").ifPresent(warnings::add);
        }
        JsonNode ranges = spec.path("loadBalancerSourceRanges");
        for (int index = 0; index < ranges.size(); index++) {
            ofRange(ranges.get(index).asString(), "spec.loadBalancerSourceRanges[" + index + "]", warnings);
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

    private static void ofAddresses(JsonNode spec, String field, List<String> warnings) {
        JsonNode addresses = spec.path(field);
        for (int index = 0; index < addresses.size(); index++) {
            ofAddress(addresses.get(index).asString(), "spec." + field + "[" + index + "]")
                    .ifPresent(warnings::add);
        }
    }

    /** See {@code GetWarningsForCIDR}, which says nothing about ranges with blanks around them. */
    private static void ofRange(String text, String path, List<String> warnings) {
        IpAddresses.Range range = AddressFields.parseRange(text).orElse(null);
        if (range == null) {
            return;
        }
        String written = FieldError.quote(text);
        String masked = FieldError.quote(range.masked().toString());
        boolean ambiguous = !range.masked().address().equals(range.address());
        boolean strict = IpAddresses.parseRange(text).isPresent();
        if (ambiguous) {
            int bits = range.address().getAddress().length * 8;
            String single = FieldError.quote(new IpAddresses.Range(range.address(), bits).toString());
            warnings.add(path + ": CIDR value " + written + " is ambiguous in this context (should be " + masked
                    + " or " + single + "?)");
        }
        if (!strict) {
            warnings.add(path + ": non-standard CIDR value " + written
                    + " will be considered invalid in a future Kubernetes release: use " + masked);
        }
        if (!ambiguous && strict && text.contains(":") && !range.toString().equals(text)) {
            warnings.add(path + ": IPv6 CIDR value " + written + " should be in RFC 5952 canonical format ("
                    + FieldError.quote(range.toString()) + ")");
        }
    }

    private static Optional<String> ofAddress(String address, String path) {
        String plain = IpAddresses.withoutZeros(address);
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
}
