package dev.kopf4j.devcluster.admission;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.resource.ServedResources;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * A rule of a webhook or a policy: {@code Matcher} in {@code pkg/admission/plugin/webhook/predicates/rules/rules.go} of
 * the apiserver library, v1.33. Immutable.
 */
record WebhookRule(JsonNode node) {
    /** The first version of an operation's resource for which a rule is; others than its own only if all count. */
    static Optional<Resource> firstMatch(
            List<WebhookRule> rules,
            boolean equivalent,
            AdmissionAttributes operation,
            ServedResources servedResources) {
        Resource resource = operation.resource();
        if (rules.stream().anyMatch(rule -> rule.matches(operation, resource))) {
            return Optional.of(resource);
        }
        if (!equivalent) {
            return Optional.empty();
        }
        List<Resource> siblings = servedResources.groups().stream()
                .flatMap(group -> group.versions().values().stream())
                .flatMap(List::stream)
                .filter(other -> other.bucket().equals(resource.bucket()) && !other.equals(resource))
                .toList();
        return rules.stream()
                .flatMap(rule -> siblings.stream().filter(other -> rule.matches(operation, other)))
                .findFirst();
    }

    /** Whether the rule is for an operation, on a version of its resource. */
    boolean matches(AdmissionAttributes operation, Resource resource) {
        return matchesScope(resource)
                && matchesName(operation.name())
                && matches("operations", operation.verb())
                && matches("apiGroups", resource.group())
                && matches("apiVersions", resource.version())
                && Json.items(node, "resources")
                        .anyMatch(each ->
                                matchesResource(each.stringValue(), resource.plural(), operation.subresource()));
    }

    private boolean matchesScope(Resource resource) {
        String scope = Json.string(node, "scope");
        return scope.isEmpty() || scope.equals("*") || scope.equals(resource.namespaced() ? "Namespaced" : "Cluster");
    }

    /** Only rules of policies have names. */
    private boolean matchesName(String name) {
        JsonNode names = node.path("resourceNames");
        return names.isEmpty()
                || names.valueStream().anyMatch(each -> each.stringValue("").equals(name));
    }

    private boolean matches(String field, String word) {
        return Json.items(node, field)
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
