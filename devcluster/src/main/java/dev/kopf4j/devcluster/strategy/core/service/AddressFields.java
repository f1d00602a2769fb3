package dev.kopf4j.devcluster.strategy.core.service;

import dev.kopf4j.devcluster.status.FieldError;
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

    /** Requires an address that others can reach. */
    static void reachable(String text, String path, FieldChecks checks) {
        InetAddress address = parse(text).orElse(null);
        if (address == null) {
            return;
        }
        if (address.isAnyLocalAddress()) {
            refuse(path, text, "may not be unspecified (" + text + ")", checks);
        }
        if (address.isLoopbackAddress()) {
            refuse(path, text, "may not be in the loopback range (127.0.0.0/8, ::1/128)", checks);
        }
        if (address.isLinkLocalAddress()) {
            refuse(path, text, "may not be in the link-local range (169.254.0.0/16, fe80::/10)", checks);
        }
        byte[] bytes = address.getAddress();
        boolean local =
                bytes.length == 4 ? bytes[0] == (byte) 224 && bytes[1] == 0 && bytes[2] == 0 : address.isMCLinkLocal();
        if (local) {
            refuse(path, text, "may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)", checks);
        }
    }

    private static void refuse(String path, String text, String problem, FieldChecks checks) {
        checks.add(FieldError.invalidString(path, text, problem));
    }
}
