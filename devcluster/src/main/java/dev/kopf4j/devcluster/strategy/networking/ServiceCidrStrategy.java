package dev.kopf4j.devcluster.strategy.networking;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import dev.kopf4j.devcluster.value.IpAddresses;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Ranges of service addresses: {@code ValidateServiceCIDR} in {@code pkg/apis/networking/validation/validation.go},
 * v1.33.
 */
final class ServiceCidrStrategy implements ResourceStrategy {
    @Override
    public Set<String> metadataKeptByStatus() {
        return Set.of("labels", "annotations", "finalizers", "ownerReferences");
    }

    @Override
    public void validate(ObjectDraft draft, FieldChecks checks) {
        JsonNode ranges = draft.next().path("spec").path("cidrs");
        ObjectNode before = draft.before();
        if (before != null) {
            if (!draft.isStatus()) {
                update(ranges, before.path("spec").path("cidrs"), checks);
            }
        } else {
            check(ranges, checks);
        }
    }

    /** A second range, of the other family, may be added. */
    private static void update(JsonNode ranges, JsonNode before, FieldChecks checks) {
        boolean grows = before.size() == 1 && ranges.size() == 2;
        if (!grows && before.size() != ranges.size()) {
            checks.immutable(ranges, before, "spec.cidrs");
            return;
        }
        for (int index = 0; index < before.size(); index++) {
            checks.immutable(ranges.get(index), before.get(index), "spec.cidrs[" + index + "]");
        }
        if (grows) {
            check(ranges, checks);
        }
    }

    private static void check(JsonNode ranges, FieldChecks checks) {
        if (ranges.isEmpty()) {
            checks.add(FieldError.required("spec.cidrs", "at least one CIDR required"));
        } else if (ranges.size() > 2) {
            checks.add(FieldError.invalid("spec.cidrs", Json.text(ranges), "may only hold up to 2 values"));
            return;
        }
        int index = 0;
        for (JsonNode range : ranges) {
            String path = "spec.cidrs[" + index++ + "]";
            IpAddresses.Range parsed = IpAddresses.parseRange(range.asString()).orElse(null);
            if (parsed == null) {
                checks.problem(
                        "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)", path, range.asString());
            } else if (!parsed.equals(parsed.masked())) {
                checks.problem("must not have bits set beyond the prefix length", path, range.asString());
            }
        }
        if (ranges.size() == 2
                && ranges.get(0).asString().contains(":")
                        == ranges.get(1).asString().contains(":")) {
            checks.add(FieldError.invalid(
                    "spec.cidrs",
                    Json.text(ranges),
                    "may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64"));
        }
    }
}
