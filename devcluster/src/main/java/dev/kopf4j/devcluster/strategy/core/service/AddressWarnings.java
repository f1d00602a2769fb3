package dev.kopf4j.devcluster.strategy.core.service;

import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.Place;
import dev.kopf4j.devcluster.value.IpAddresses;

/**
 * Warnings about addresses that will be refused one day. See {@code GetWarningsForService} in
 * {@code pkg/api/service/warnings.go} and {@code GetWarningsForIP} in {@code pkg/util/validation/ip.go} of
 * apimachinery, v1.33. Pure.
 */
final class AddressWarnings {
    private AddressWarnings() {}

    static void ofRange(Place place, FieldChecks checks) {
        String text = place.text();
        IpAddresses.Range range = AddressFields.parseRange(text).orElse(null);
        if (range == null) {
            return;
        }
        String path = place.path();
        String written = FieldError.quote(text);
        String masked = FieldError.quote(range.masked().toString());
        boolean ambiguous = !range.masked().address().equals(range.address());
        boolean strict = IpAddresses.parseRange(text).isPresent();
        if (ambiguous) {
            int bits = range.address().getAddress().length * 8;
            String single = FieldError.quote(new IpAddresses.Range(range.address(), bits).toString());
            checks.warn(path + ": CIDR value " + written + " is ambiguous in this context (should be " + masked + " or "
                    + single + "?)");
        }
        if (!strict) {
            checks.warn(path + ": non-standard CIDR value " + written
                    + " will be considered invalid in a future Kubernetes release: use " + masked);
        }
        if (!ambiguous && strict && text.contains(":") && !range.toString().equals(text)) {
            checks.warn(path + ": IPv6 CIDR value " + written + " should be in RFC 5952 canonical format ("
                    + FieldError.quote(range.toString()) + ")");
        }
    }

    static void ofAddress(Place place, FieldChecks checks) {
        String address = place.text();
        String plain = IpAddresses.withoutZeros(address);
        if (!plain.equals(address)) {
            checks.warn(place.path() + ": non-standard IP address " + FieldError.quote(address)
                    + " will be considered invalid in a future Kubernetes release: use " + FieldError.quote(plain));
            return;
        }
        IpAddresses.parse(address)
                .map(IpAddresses::shown)
                .filter(shown -> address.contains(":") && !shown.equals(address))
                .ifPresent(shown -> checks.warn(place.path() + ": IPv6 address " + FieldError.quote(address)
                        + " should be in RFC 5952 canonical format (" + FieldError.quote(shown) + ")"));
    }
}
