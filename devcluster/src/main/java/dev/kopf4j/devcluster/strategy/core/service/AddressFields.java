package dev.kopf4j.devcluster.strategy.core.service;

import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.value.IpAddresses;
import java.net.InetAddress;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * Addresses and ranges in fields that were once read loosely, with leading zeros: {@code IsValidIPForLegacyField},
 * {@code IsValidCIDRForLegacyField} and {@code ValidateEndpointIP} in {@code pkg/apis/core/validation/validation.go},
 * v1.33. Pure.
 */
final class AddressFields {
    private AddressFields() {}

    /**
     * Requires an address.
     *
     * @param before values that were there before, and may stay
     * @return whether it is one
     */
    static boolean address(String text, String path, JsonNode before, FieldChecks checks) {
        boolean kept = before.valueStream().anyMatch(each -> each.asString().equals(text));
        if (kept || parse(text).isPresent()) {
            return true;
        }
        checks.problem("must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)", path, text);
        return false;
    }

    private static Optional<InetAddress> parse(String text) {
        return IpAddresses.parse(IpAddresses.withoutZeros(text));
    }

    /**
     * Requires a range of addresses.
     *
     * @param before values that were there before, and may stay
     */
    static void range(String text, String path, JsonNode before, FieldChecks checks) {
        boolean kept =
                before.valueStream().anyMatch(each -> each.asString().strip().equals(text));
        if (!kept && parseRange(text).isEmpty()) {
            checks.problem("must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)", path, text);
        }
    }

    /** A range that Go once read, with leading zeros in the address or the number of bits. */
    static Optional<IpAddresses.Range> parseRange(String text) {
        int slash = text.indexOf('/');
        return slash < 0
                ? Optional.empty()
                : IpAddresses.parseRange(IpAddresses.withoutZeros(text.substring(0, slash)) + "/"
                        + text.substring(slash + 1).replaceFirst("^0+(?=[0-9])", ""));
    }
}
