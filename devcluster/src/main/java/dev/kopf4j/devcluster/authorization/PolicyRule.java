package dev.kopf4j.devcluster.authorization;

import dev.kopf4j.devcluster.json.Json;
import tools.jackson.databind.JsonNode;

/**
 * Rules of roles: {@code RuleAllows} in {@code plugin/pkg/auth/authorizer/rbac/rbac.go} and
 * {@code pkg/apis/rbac/v1/evaluation_helpers.go}, v1.33. Pure.
 */
final class PolicyRule {
    private PolicyRule() {}

    /** Whether a rule allows an act. */
    static boolean covers(JsonNode rule, AuthorizationAttributes attributes) {
        if (!names(rule.path("verbs"), attributes.verb())) {
            return false;
        }
        if (!attributes.isResource()) {
            return Json.items(rule, "nonResourceURLs")
                    .map(JsonNode::stringValue)
                    .anyMatch(url -> coversPath(url, attributes.path()));
        }
        JsonNode allowed = rule.path("resourceNames");
        return names(rule.path("apiGroups"), attributes.group())
                && coversResource(rule.path("resources"), attributes)
                && (allowed.isEmpty() || contains(allowed, attributes.name()));
    }

    private static boolean coversPath(String url, String path) {
        return url.equals("*")
                || url.equals(path)
                || (url.endsWith("*") && path.startsWith(url.substring(0, url.length() - 1)));
    }

    private static boolean coversResource(JsonNode resources, AuthorizationAttributes attributes) {
        return names(resources, attributes.qualifiedResource())
                || (!attributes.subresource().isEmpty() && contains(resources, "*/" + attributes.subresource()));
    }

    private static boolean names(JsonNode words, String word) {
        return contains(words, "*") || contains(words, word);
    }

    private static boolean contains(JsonNode words, String word) {
        return words.valueStream().anyMatch(each -> each.stringValue().equals(word));
    }
}
