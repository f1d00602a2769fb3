package dev.kopf4j.devcluster.strategy.admissionregistration;

import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.LabelSelectorValidation;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * What policies and bindings are for: {@code validateMatchResources} in
 * {@code pkg/apis/admissionregistration/validation/validation.go}, v1.33. Pure.
 */
final class MatchResourcesValidation {
    private MatchResourcesValidation() {}

    static void check(JsonNode matching, String path, FieldChecks checks) {
        if (!matching.isObject()) {
            return;
        }
        checks.required(matching, "matchPolicy", path);
        checks.oneOf(matching, "matchPolicy", path, List.of("Equivalent", "Exact"));
        for (String selector : List.of("namespaceSelector", "objectSelector")) {
            checks.required(matching, selector, path);
            LabelSelectorValidation.check(matching.path(selector), path + "." + selector, checks);
        }
        for (String rules : List.of("resourceRules", "excludeResourceRules")) {
            rules(matching.path(rules), path + "." + rules, checks);
        }
    }

    private static void rules(JsonNode rules, String path, FieldChecks checks) {
        int index = 0;
        for (JsonNode rule : rules) {
            String where = path + "[" + index++ + "]";
            names(rule.path("resourceNames"), where + ".resourceNames", checks);
            WebhookRuleValidation.rule(rule, where, checks);
        }
    }

    private static void names(JsonNode names, String path, FieldChecks checks) {
        Set<String> seen = new HashSet<>();
        int index = 0;
        for (JsonNode each : names) {
            String where = path + "[" + index++ + "]";
            String name = each.stringValue("");
            PathSegments.check(name, where, checks);
            if (!seen.add(name)) {
                checks.add(FieldError.duplicate(where, FieldError.quote(name)));
            }
        }
    }

    /** The parts that a rule cannot do without, said of a policy's constraints. */
    static void requireRules(JsonNode spec, String path, FieldChecks checks) {
        if (!spec.path("matchConstraints").isObject()) {
            checks.add(FieldError.required(path, ""));
            return;
        }
        check(spec.path("matchConstraints"), path, checks);
        if (spec.path("matchConstraints").path("resourceRules").isEmpty()) {
            checks.add(FieldError.required(path + ".resourceRules", ""));
        }
    }
}
