package dev.kopf4j.devcluster.strategy.storage;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.selector.LabelSyntax;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import dev.kopf4j.devcluster.value.DnsNames;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Drivers of volumes on a node: {@code ValidateCSINode} and {@code ValidateCSINodeUpdate} in
 * {@code pkg/apis/storage/validation/validation.go}, v1.33.
 */
final class CsiNodeStrategy implements ResourceStrategy {
    private static final int MAX_NODE_ID = 256;

    @Override
    public void validate(ObjectDraft draft, FieldChecks checks) {
        JsonNode drivers = draft.next().path("spec").path("drivers");
        Set<String> names = new HashSet<>();
        int index = 0;
        for (JsonNode driver : drivers) {
            String path = "spec.drivers[" + index++ + "]";
            driver(driver, path, checks);
            String name = Json.string(driver, "name");
            if (!names.add(name)) {
                checks.add(FieldError.duplicate(path + ".name", FieldError.quote(name)));
            }
        }
        ObjectNode before = draft.before();
        if (before == null) {
            return;
        }
        for (JsonNode former : before.path("spec").path("drivers")) {
            for (JsonNode driver : drivers) {
                if (Json.string(driver, "name").equals(Json.string(former, "name"))) {
                    checks.immutable(driver, former, "spec.drivers");
                }
            }
        }
    }

    private static void driver(JsonNode driver, String path, FieldChecks checks) {
        String name = Json.string(driver, "name");
        checks.required(driver, "name", path);
        checks.problem(DnsNames.subdomain(name.toLowerCase(Locale.ROOT)), path + ".name", name);
        checks.required(driver, "nodeID", path);
        String id = Json.string(driver, "nodeID");
        if (id.length() > MAX_NODE_ID) {
            checks.problem("must be " + MAX_NODE_ID + " characters or less", path + ".nodeID", id);
        }
        checks.atLeast(driver.path("allocatable"), "count", path + ".allocatable", 0);
        Set<String> keys = new HashSet<>();
        for (JsonNode each : driver.path("topologyKeys")) {
            String key = each.asString();
            if (key.isEmpty()) {
                checks.add(FieldError.required(path, ""));
            }
            if (!keys.add(key)) {
                checks.add(FieldError.duplicate(path, FieldError.quote(key)));
            }
            checks.problem(LabelSyntax.key(key), path, key);
        }
    }
}
