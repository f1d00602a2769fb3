package dev.kopf4j.devcluster.kind.builtin;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.Cause;
import dev.kopf4j.devcluster.type.Quantity;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Requests and limits of containers. */
final class ResourceAmounts {
    private static final List<String> STANDARD = List.of("cpu", "memory", "ephemeral-storage");

    private ResourceAmounts() {}

    static void check(JsonNode resources, String path, Checks checks) {
        for (String list : List.of("limits", "requests")) {
            for (Map.Entry<String, JsonNode> amount : resources.path(list).properties()) {
                one(amount.getKey(), amount.getValue().asString(), path + "." + list, checks);
            }
        }
        JsonNode limits = resources.path("limits");
        for (Map.Entry<String, JsonNode> request : resources.path("requests").properties()) {
            String limit = Json.string(limits, request.getKey());
            String amount = request.getValue().asString();
            if (!limit.isEmpty() && Quantity.value(amount).compareTo(Quantity.value(limit)) > 0) {
                checks.add(Cause.invalidString(
                        path + ".requests",
                        amount,
                        "must be less than or equal to " + request.getKey() + " limit of " + limit));
            }
        }
    }

    private static void one(String name, String amount, String path, Checks checks) {
        boolean known = STANDARD.contains(name) || name.startsWith("hugepages-") || name.contains("/");
        if (!known) {
            checks.add(Cause.invalidString(
                    path + "[" + name + "]", name, "must be a standard resource type or fully qualified"));
        }
        if (Quantity.value(amount).signum() < 0) {
            checks.add(Cause.invalidString(path + "[" + name + "]", amount, "must be greater than or equal to 0"));
        }
    }
}
