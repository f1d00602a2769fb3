package dev.kopf4j.devcluster.strategy.discovery;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Endpoint slices: {@code ValidateEndpointSlice} in {@code pkg/apis/discovery/validation/validation.go}, v1.33. */
final class EndpointSliceStrategy implements ResourceStrategy {
    private static final List<String> ADDRESS_TYPES = List.of("FQDN", "IPv4", "IPv6");

    @Override
    public void validate(ObjectDraft draft, FieldChecks checks) {
        JsonNode slice = draft.next();
        String type = Json.string(slice, "addressType");
        if (type.isEmpty()) {
            checks.add(FieldError.required("addressType", ""));
        } else if (!ADDRESS_TYPES.contains(type)) {
            checks.add(FieldError.notSupported("addressType", FieldError.quote(type), ADDRESS_TYPES));
        }
        ObjectNode before = draft.before();
        if (before != null) {
            checks.immutable(slice.path("addressType"), before.path("addressType"), "addressType");
        }
    }
}
