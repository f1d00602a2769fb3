package dev.kopf4j.devcluster.strategy.pod;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.value.Quantity;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * Requests and limits of containers: {@code validateResourceRequirements} in
 * {@code pkg/apis/core/validation/validation.go}, v1.33. Pure.
 */
final class ResourceRequirementsValidation {
    private static final List<String> STANDARD = List.of("cpu", "memory", "ephemeral-storage");

    private ResourceRequirementsValidation() {}

    static void check(JsonNode resources, String path, FieldChecks checks) {
        for (String list : List.of("limits", "requests")) {
            for (Map.Entry<String, JsonNode> amount : resources.path(list).properties()) {
                amount(amount.getKey(), amount.getValue().asString(), path + "." + list, checks);
            }
        }
        JsonNode limits = resources.path("limits");
        for (Map.Entry<String, JsonNode> request : resources.path("requests").properties()) {
            String limit = Json.string(limits, request.getKey());
            String amount = request.getValue().asString();
            if (!limit.isEmpty() && Quantity.value(amount).compareTo(Quantity.value(limit)) > 0) {
                checks.problem(
                        "must be less than or equal to " + request.getKey() + " limit of " + limit,
                        path + ".requests",
                        amount);
            }
        }
    }

    private static void amount(String name, String amount, String path, FieldChecks checks) {
        String where = path + "[" + name + "]";
        boolean known = STANDARD.contains(name) || name.startsWith("hugepages-") || name.contains("/");
        if (!known) {
            checks.problem("must be a standard resource type or fully qualified", where, name);
            checks.problem("must be a standard resource for containers", where, name);
        }
        if (Quantity.value(amount).signum() < 0) {
            checks.problem("must be greater than or equal to 0", where, amount);
        }
    }
}
