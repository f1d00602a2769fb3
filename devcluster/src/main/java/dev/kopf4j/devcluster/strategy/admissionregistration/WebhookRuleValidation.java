package dev.kopf4j.devcluster.strategy.admissionregistration;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * What webhooks are called for: {@code validateRule} and {@code validateResources} in
 * {@code pkg/apis/admissionregistration/validation/validation.go}, v1.33. Pure.
 */
final class WebhookRuleValidation {
    private static final List<String> OPERATIONS = List.of("*", "CONNECT", "CREATE", "DELETE", "UPDATE");
    /** Lists where a star stands alone, and what messages call their elements. */
    private static final Map<String, String> ALONE =
            Map.of("operations", "operations", "apiGroups", "API groups", "apiVersions", "API versions");

    private WebhookRuleValidation() {}

    static void check(JsonNode rules, String path, FieldChecks checks) {
        int index = 0;
        for (JsonNode rule : rules) {
            rule(rule, path + "[" + index++ + "]", checks);
        }
    }

    static void rule(JsonNode rule, String path, FieldChecks checks) {
        for (String field : List.of("operations", "apiGroups", "apiVersions", "resources")) {
            checks.required(rule, field, path);
            alone(rule.path(field), field, path, checks);
        }
        List<String> operations = texts(rule.path("operations"));
        for (int index = 0; index < operations.size(); index++) {
            String operation = operations.get(index);
            if (!OPERATIONS.contains(operation)) {
                checks.add(FieldError.notSupported(
                        path + ".operations[" + index + "]", FieldError.quote(operation), OPERATIONS));
            }
        }
        notEmpty(rule.path("apiVersions"), path + ".apiVersions", checks);
        resources(rule.path("resources"), path + ".resources", checks);
        checks.oneOf(rule, "scope", path, List.of("*", "Cluster", "Namespaced"));
    }

    private static List<String> texts(JsonNode list) {
        return list.valueStream().map(each -> each.stringValue("")).toList();
    }

    private static void alone(JsonNode list, String field, String path, FieldChecks checks) {
        String others = ALONE.get(field);
        if (others != null && list.size() > 1 && texts(list).contains("*")) {
            String rule = "if '*' is present, must not specify other " + others;
            checks.add(FieldError.invalid(path + "." + field, Json.text(list), rule));
        }
    }

    private static void notEmpty(JsonNode list, String path, FieldChecks checks) {
        List<String> texts = texts(list);
        for (int index = 0; index < texts.size(); index++) {
            if (texts.get(index).isEmpty()) {
                checks.add(FieldError.required(path + "[" + index + "]", ""));
            }
        }
    }

    private static void resources(JsonNode list, String path, FieldChecks checks) {
        notEmpty(list, path, checks);
        List<String> resources = texts(list);
        subresources(resources, path, checks);
        if (resources.size() > 1 && resources.contains("*/*")) {
            checks.add(
                    FieldError.invalid(path, Json.text(list), "if '*/*' is present, must not specify other resources"));
        }
        boolean whole = !resources.isEmpty()
                && resources.stream()
                        .filter(each -> !each.isEmpty() && !each.contains("/"))
                        .reduce("*", (_, last) -> last)
                        .chars()
                        .anyMatch(letter -> letter != '*');
        if (resources.contains("*") && whole) {
            checks.add(FieldError.invalid(
                    path, Json.text(list), "if '*' is present, must not specify other resources without subresources"));
        }
    }

    private static void subresources(List<String> resources, String path, FieldChecks checks) {
        Set<String> patterns = new HashSet<>();
        for (int index = 0; index < resources.size(); index++) {
            String[] parts = resources.get(index).split("/", 2);
            if (parts.length < 2) {
                continue;
            }
            for (String pattern : List.of(parts[0] + "/*", "*/" + parts[1])) {
                if (patterns.contains(pattern)) {
                    checks.add(FieldError.invalidString(
                            path + "[" + index + "]",
                            resources.get(index),
                            "if '" + pattern + "' is present, must not specify " + resources.get(index)));
                }
            }
            if (parts[0].equals("*") || parts[1].equals("*")) {
                patterns.add(resources.get(index));
            }
        }
    }
}
