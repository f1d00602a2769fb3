package dev.kopf4j.devcluster.admission;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.resource.ServedResources;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * A webhook of a configuration. Immutable.
 *
 * @param mutating whether it may change objects
 */
record AdmissionWebhook(JsonNode node, boolean mutating) {
    private static final Set<String> REVIEW_VERSIONS = Set.of("v1", "v1beta1");

    String name() {
        return Json.string(node, "name");
    }

    boolean ignoresFailures() {
        return Json.string(node, "failurePolicy").equals("Ignore");
    }

    boolean reinvoked() {
        return Json.string(node, "reinvocationPolicy").equals("IfNeeded");
    }

    /** The version of its reviews: the first one of its own that the server knows. */
    String reviewVersion() {
        return Json.items(node, "admissionReviewVersions")
                .map(each -> each.asString(""))
                .filter(REVIEW_VERSIONS::contains)
                .findFirst()
                .orElse("v1");
    }

    Duration timeout() {
        return Duration.ofSeconds(node.path("timeoutSeconds").longValue(10));
    }

    List<JsonNode> conditions() {
        return Json.items(node, "matchConditions").toList();
    }

    /** The version of the resource that the webhook wants to see; none if no rule matches. */
    Optional<Resource> wanted(AdmissionAttributes operation, ServedResources servedResources) {
        List<WebhookRule> rules =
                Json.items(node, "rules").map(WebhookRule::new).toList();
        boolean equivalent = Json.string(node, "matchPolicy").equals("Equivalent");
        return WebhookRule.firstMatch(rules, equivalent, operation, servedResources);
    }
}
