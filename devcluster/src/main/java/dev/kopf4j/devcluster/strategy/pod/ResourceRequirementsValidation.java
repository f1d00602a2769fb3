package dev.kopf4j.devcluster.strategy.pod;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.value.Quantity;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Requests and limits of containers. */
final class ResourceRequirementsValidation {
    private static final List<String> STANDARD = List.of("cpu", "memory", "ephemeral-storage");

    private ResourceRequirementsValidation() {}

    static void check(JsonNode resources, String path, FieldChecks fieldChecks) {
        for (String list : List.of("limits", "requests")) {
            for (Map.Entry<String, JsonNode> amount : resources.path(list).properties()) {
                one(amount.getKey(), amount.getValue().asString(), path + "." + list, fieldChecks);
            }
        }
        JsonNode limits = resources.path("limits");
        for (Map.Entry<String, JsonNode> request : resources.path("requests").properties()) {
            String limit = Json.string(limits, request.getKey());
            String amount = request.getValue().asString();
            if (!limit.isEmpty() && Quantity.value(amount).compareTo(Quantity.value(limit)) > 0) {
                fieldChecks.add(FieldError.invalidString(
                        path + ".requests",
                        amount,
                        "must be less than or equal to " + request.getKey() + " limit of " + limit));
            }
        }
    }

    private static void one(String name, String amount, String path, FieldChecks fieldChecks) {
        boolean known = STANDARD.contains(name) || name.startsWith("hugepages-") || name.contains("/");
        if (!known) {
            fieldChecks.add(FieldError.invalidString(
                    path + "[" + name + "]", name, "must be a standard resource type or fully qualified"));
        }
        if (Quantity.value(amount).signum() < 0) {
            fieldChecks.add(
                    FieldError.invalidString(path + "[" + name + "]", amount, "must be greater than or equal to 0"));
        }
    }
}
