package dev.kopf4j.devcluster.strategy.networking;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import dev.kopf4j.devcluster.value.DnsNames;
import dev.kopf4j.devcluster.value.IpAddresses;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Addresses and whose they are: {@code ValidateIPAddress} and {@code ValidateIPAddressUpdate} in
 * {@code pkg/apis/networking/validation/validation.go}, v1.33.
 */
final class IpAddressStrategy implements ResourceStrategy {
    private static final String PARENT = "spec.parentRef";

    @Override
    public void validate(ObjectDraft draft, FieldChecks checks) {
        String name = Json.string(draft.next(), "metadata", "name");
        if (draft.isNew() && IpAddresses.parse(name).isEmpty()) {
            checks.problem("must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)", "metadata.name", name);
        }
        JsonNode parent = draft.next().path("spec").path("parentRef");
        if (parent.isObject()) {
            parent(parent, checks);
        } else {
            checks.add(FieldError.required(PARENT, ""));
        }
        ObjectNode before = draft.before();
        if (before != null) {
            checks.immutable(parent, before.path("spec").path("parentRef"), PARENT);
        }
    }

    private static void parent(JsonNode parent, FieldChecks checks) {
        String group = Json.string(parent, "group");
        if (!group.isEmpty()) {
            checks.problem(DnsNames.subdomain(group), PARENT + ".group", group);
        }
        checks.required(parent, "resource", PARENT);
        checks.required(parent, "name", PARENT);
        for (String field : List.of("resource", "name", "namespace")) {
            String value = Json.string(parent, field);
            checks.problem(DnsNames.pathSegment(value), PARENT + "." + field, value);
        }
    }
}
