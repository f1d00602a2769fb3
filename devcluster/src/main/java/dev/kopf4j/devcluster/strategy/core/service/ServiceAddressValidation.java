package dev.kopf4j.devcluster.strategy.core.service;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.json.JsonEquality;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * Addresses of services and their families: {@code ValidateServiceClusterIPsRelatedFields},
 * {@code validateUpgradeDowngradeClusterIPs} and {@code validateUpgradeDowngradeIPFamilies} in
 * {@code pkg/apis/core/validation/validation.go}, v1.33. Pure.
 */
final class ServiceAddressValidation {
    private static final String ADDRESSES = "spec.clusterIPs";
    private static final List<String> FAMILIES = List.of("IPv4", "IPv6");

    private ServiceAddressValidation() {}

    /**
     * Checks that the fields go together.
     *
     * @param before the spec before; missing for a new service
     */
    static void check(JsonNode spec, JsonNode before, FieldChecks checks) {
        if (!ServiceType.of(spec).hasClusterIp()) {
            return;
        }
        JsonNode addresses = spec.path("clusterIPs");
        together(Json.string(spec, "clusterIP"), addresses, checks);
        families(spec.path("ipFamilies"), checks);
        checks.oneOf(spec, "ipFamilyPolicy", "spec", List.of("PreferDualStack", "RequireDualStack", "SingleStack"));
        boolean right = forms(addresses, before.path("clusterIPs"), checks);
        if (addresses.size() > 2) {
            refuse(addresses, "may only hold up to 2 values", checks);
        }
        if (!right) {
            return;
        }
        boolean dual = addresses.size() == 2 && isIpv6(addresses.get(0)) != isIpv6(addresses.get(1));
        if (addresses.size() > 1 && !dual) {
            refuse(addresses, "may specify no more than one IP for each IP family", checks);
        }
        if (!ServiceType.isHeadless(spec)) {
            match(addresses, spec.path("ipFamilies"), checks);
        }
    }

    private static void refuse(JsonNode addresses, String problem, FieldChecks checks) {
        checks.add(FieldError.invalid(ADDRESSES, Json.text(addresses), problem));
    }

    private static void together(String address, JsonNode addresses, FieldChecks checks) {
        if (address.isEmpty() && !addresses.isEmpty()) {
            refuse(addresses, "must be empty when `clusterIP` is not specified", checks);
        } else if (!address.isEmpty() && addresses.isEmpty()) {
            checks.add(FieldError.required(ADDRESSES, ""));
        } else if (!address.isEmpty() && !addresses.get(0).asString().equals(address)) {
            refuse(addresses, "first value must match `clusterIP`", checks);
        }
    }

    private static void families(JsonNode families, FieldChecks checks) {
        Set<String> seen = new HashSet<>();
        for (int index = 0; index < families.size(); index++) {
            String family = families.get(index).asString();
            String path = "spec.ipFamilies[" + index + "]";
            if (!FAMILIES.contains(family)) {
                checks.add(FieldError.notSupported(path, FieldError.quote(family), FAMILIES));
            }
            if (!seen.add(family)) {
                checks.add(FieldError.duplicate(path, FieldError.quote(family)));
            }
        }
    }

    private static boolean forms(JsonNode addresses, JsonNode before, FieldChecks checks) {
        boolean right = true;
        for (int index = 0; index < addresses.size(); index++) {
            String address = addresses.get(index).asString();
            if (index == 0 && address.equals("None")) {
                if (addresses.size() > 1) {
                    right = false;
                    refuse(addresses, "'None' must be the first and only value", checks);
                }
            } else {
                right &= AddressFields.address(address, ADDRESSES + "[" + index + "]", before, checks);
            }
        }
        return right;
    }

    private static boolean isIpv6(JsonNode address) {
        return address.asString().contains(":");
    }

    private static void match(JsonNode addresses, JsonNode families, FieldChecks checks) {
        for (int index = 0; index < Math.min(addresses.size(), families.size()); index++) {
            String address = addresses.get(index).asString();
            String family = families.get(index).asString();
            if (FAMILIES.contains(family) && family.equals("IPv6") != address.contains(":")) {
                String rule = "expected an " + family + " value as indicated by `ipFamilies[" + index + "]`";
                checks.problem(rule, ADDRESSES + "[" + index + "]", address);
            }
        }
    }

    /** Checks that an update keeps the addresses. */
    static void update(JsonNode spec, JsonNode before, FieldChecks checks) {
        boolean both =
                ServiceType.of(spec).hasClusterIp() && ServiceType.of(before).hasClusterIp();
        boolean headless = ServiceType.isHeadless(spec);
        boolean wasHeadless = ServiceType.isHeadless(before);
        if (both && !(headless && wasHeadless)) {
            fixed(spec.path("clusterIPs"), before.path("clusterIPs"), ADDRESSES, checks);
        }
        if (both && !headless && !wasHeadless) {
            fixed(spec.path("ipFamilies"), before.path("ipFamilies"), "spec.ipFamilies", checks);
        }
    }

    /** The first one is fixed, and each of as many as before. */
    private static void fixed(JsonNode now, JsonNode before, String path, FieldChecks checks) {
        boolean single = path.equals("spec.ipFamilies");
        if (now.isEmpty() && !before.isEmpty()) {
            String what = single ? "primary ipFamily can not be unset" : "primary clusterIP can not be unset";
            checks.add(FieldError.invalid(path + "[0]", Json.text(now), what));
        }
        int compared = now.size() == before.size() ? now.size() : Math.min(1, Math.min(now.size(), before.size()));
        for (int index = 0; index < compared; index++) {
            if (!JsonEquality.same(now.get(index), before.get(index))) {
                String where = path + "[" + (single ? 0 : index) + "]";
                checks.add(FieldError.invalid(where, Json.text(now), "may not change once set"));
            }
        }
    }
}
