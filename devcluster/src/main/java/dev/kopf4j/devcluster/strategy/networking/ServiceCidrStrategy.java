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
        if (ranges.isEmpty()) {
            checks.add(FieldError.required("spec.cidrs", "at least one CIDR required"));
        } else if (ranges.size() > 2) {
            checks.add(FieldError.invalid("spec", Json.text(ranges), "may only hold up to 2 values"));
        }
        int index = 0;
        for (JsonNode range : ranges) {
            String path = "spec.cidrs[" + index++ + "]";
            if (IpAddresses.parseRange(range.asString()).isEmpty()) {
                checks.problem(
                        "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)", path, range.asString());
            }
        }
        if (before != null && !draft.isStatus()) {
            checks.immutable(ranges, before.path("spec").path("cidrs"), "spec.cidrs");
        }
    }
}
