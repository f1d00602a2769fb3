package dev.kopf4j.devcluster.admission;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.resource.Resource;
import tools.jackson.databind.JsonNode;

/**
 * A rule of a webhook: {@code Matcher} in {@code pkg/admission/plugin/webhook/predicates/rules/rules.go} of the
 * apiserver library, v1.33. Immutable.
 */
record WebhookRule(JsonNode node) {
    /** Whether the rule is for an operation, on a version of its resource. */
    boolean matches(AdmissionAttributes operation, Resource resource) {
        return matchesScope(resource)
                && matches("operations", operation.verb())
                && matches("apiGroups", resource.group())
                && matches("apiVersions", resource.version())
                && node.path("resources")
                        .valueStream()
                        .anyMatch(each ->
                                matchesResource(each.stringValue(), resource.plural(), operation.subresource()));
    }

    private boolean matchesScope(Resource resource) {
        String scope = Json.string(node, "scope");
        return scope.isEmpty() || scope.equals("*") || scope.equals(resource.namespaced() ? "Namespaced" : "Cluster");
    }

    private boolean matches(String field, String word) {
        return node.path(field)
                .valueStream()
                .map(JsonNode::stringValue)
                .anyMatch(each -> each.equals("*") || each.equals(word));
    }

    private static boolean matchesResource(String pattern, String plural, String subresource) {
        int slash = pattern.indexOf('/');
        String first = slash < 0 ? pattern : pattern.substring(0, slash);
        String second = slash < 0 ? "" : pattern.substring(slash + 1);
        boolean secondMatches = slash < 0 ? subresource.isEmpty() : second.equals("*") || second.equals(subresource);
        return (first.equals("*") || first.equals(plural)) && secondMatches;
    }
}
