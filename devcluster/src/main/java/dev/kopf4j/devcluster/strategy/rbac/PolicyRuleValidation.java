package dev.kopf4j.devcluster.strategy.rbac;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import tools.jackson.databind.JsonNode;

/** Rules of roles: {@code ValidatePolicyRule} in {@code pkg/apis/rbac/validation/validation.go}, v1.33. Pure. */
final class PolicyRuleValidation {
    private PolicyRuleValidation() {}

    static void check(JsonNode rules, boolean namespaced, FieldChecks checks) {
        int index = 0;
        for (JsonNode rule : rules) {
            String path = "rules[" + index++ + "]";
            checks.required(rule, "verbs", path);
            if (!rule.path("nonResourceURLs").isEmpty()) {
                urls(rule, path + ".nonResourceURLs", namespaced, checks);
                continue;
            }
            if (rule.path("apiGroups").isEmpty()) {
                checks.add(
                        FieldError.required(path + ".apiGroups", "resource rules must supply at least one api group"));
            }
            if (rule.path("resources").isEmpty()) {
                checks.add(
                        FieldError.required(path + ".resources", "resource rules must supply at least one resource"));
            }
        }
    }

    private static void urls(JsonNode rule, String path, boolean namespaced, FieldChecks checks) {
        String shown = Json.text(rule.path("nonResourceURLs"));
        if (namespaced) {
            checks.add(FieldError.invalid(path, shown, "namespaced rules cannot apply to non-resource URLs"));
        }
        boolean resources = !rule.path("apiGroups").isEmpty()
                || !rule.path("resources").isEmpty()
                || !rule.path("resourceNames").isEmpty();
        if (resources) {
            checks.add(FieldError.invalid(
                    path, shown, "rules cannot apply to both regular resources and non-resource URLs"));
        }
    }
}
