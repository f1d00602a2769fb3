package dev.kopf4j.devcluster.admission.plugin;

import dev.kopf4j.devcluster.json.Json;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * Which pods a quota with scopes is about: {@code podMatchesScopeFunc} in {@code pkg/quota/v1/evaluator/core/pods.go},
 * v1.33. Pure.
 */
public final class QuotaScopes {
    private QuotaScopes() {}

    /** Whether all scopes of a quota hold for an object; a quota with scopes is about pods only. */
    public static boolean match(JsonNode quotaSpec, boolean isPod, JsonNode object) {
        for (JsonNode scope : quotaSpec.path("scopes")) {
            if (!isPod || !holds(scope.asString(), "Exists", List.of(), object)) {
                return false;
            }
        }
        for (JsonNode expression : quotaSpec.path("scopeSelector").path("matchExpressions")) {
            List<String> values =
                    Json.items(expression, "values").map(JsonNode::asString).toList();
            String scope = Json.string(expression, "scopeName");
            if (!isPod || !holds(scope, Json.string(expression, "operator"), values, object)) {
                return false;
            }
        }
        return true;
    }

    private static boolean holds(String scope, String operator, List<String> values, JsonNode pod) {
        JsonNode spec = pod.path("spec");
        boolean terminating = spec.path("activeDeadlineSeconds").longValue(-1) >= 0;
        boolean bestEffort = Amounts.ofPod(spec, "requests").values().isEmpty()
                && Amounts.ofPod(spec, "limits").values().isEmpty();
        return switch (scope) {
            case "Terminating" -> terminating;
            case "NotTerminating" -> !terminating;
            case "BestEffort" -> bestEffort;
            case "NotBestEffort" -> !bestEffort;
            case "PriorityClass" -> priority(Json.string(spec, "priorityClassName"), operator, values);
            default -> false;
        };
    }

    private static boolean priority(String name, String operator, List<String> values) {
        return switch (operator) {
            case "In" -> values.contains(name);
            case "NotIn" -> !values.contains(name);
            case "DoesNotExist" -> name.isEmpty();
            default -> !name.isEmpty();
        };
    }
}
