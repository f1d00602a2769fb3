package dev.kopf4j.devcluster.strategy.discovery;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.resource.Resource;
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

    /** Metadata counts, too: {@code PrepareForUpdate} in {@code pkg/registry/discovery/endpointslice/strategy.go}. */
    @Override
    public JsonNode generationPart(Resource resource, ObjectNode slice) {
        ObjectNode part = slice.deepCopy();
        part.retain("endpoints", "ports", "addressType", "metadata");
        ((ObjectNode) part.get("metadata")).retain("labels", "annotations", "finalizers", "ownerReferences");
        return part;
    }

    @Override
    public void validate(ObjectDraft draft, FieldChecks checks) {
        JsonNode slice = draft.next();
        String type = Json.string(slice, "addressType");
        if (type.isEmpty()) {
            checks.add(FieldError.required("addressType", ""));
        } else if (!ADDRESS_TYPES.contains(type)) {
            checks.add(FieldError.notSupported("addressType", FieldError.quote(type), ADDRESS_TYPES));
        }
        EndpointValidation.ports(slice.path("ports"), checks);
        ObjectNode before = draft.before();
        if (before == null || !before.path("endpoints").equals(slice.path("endpoints"))) {
            EndpointValidation.endpoints(slice.path("endpoints"), type, checks);
        }
        if (before != null) {
            checks.immutable(slice.path("addressType"), before.path("addressType"), "addressType");
        }
    }
}
