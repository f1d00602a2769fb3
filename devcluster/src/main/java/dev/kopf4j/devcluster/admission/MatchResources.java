package dev.kopf4j.devcluster.admission;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.resource.ServedResources;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Which operations a policy or a binding is for: {@code Matches} in
 * {@code pkg/admission/plugin/policy/matching/matching.go} of the apiserver library, v1.33. Immutable.
 *
 * @param node {@code matchConstraints} or {@code matchResources}
 */
record MatchResources(JsonNode node, ServedResources servedResources, WebhookSelectors selectors) {
    /** The version of the resource that expressions see; none if the operation does not match. */
    Optional<Resource> match(AdmissionAttributes operation, @Nullable ObjectNode object) {
        if (!selectors.match(node, operation, object)
                || matches("excludeResourceRules", operation).isPresent()) {
            return Optional.empty();
        }
        return node.path("resourceRules").isEmpty()
                ? Optional.of(operation.resource())
                : matches("resourceRules", operation);
    }

    private Optional<Resource> matches(String field, AdmissionAttributes operation) {
        List<WebhookRule> rules =
                node.path(field).valueStream().map(WebhookRule::new).toList();
        boolean equivalent = Json.string(node, "matchPolicy").equals("Equivalent");
        return WebhookRule.firstMatch(rules, equivalent, operation, servedResources);
    }
}
