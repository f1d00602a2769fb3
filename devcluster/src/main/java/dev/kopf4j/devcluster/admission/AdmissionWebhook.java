package dev.kopf4j.devcluster.admission;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.resource.ServedResources;
import dev.kopf4j.devcluster.selector.LabelSelector;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** A webhook of a configuration. Immutable. */
record AdmissionWebhook(JsonNode node) {
    String name() {
        return Json.string(node, "name");
    }

    boolean ignoresFailures() {
        return Json.string(node, "failurePolicy").equals("Ignore");
    }

    boolean reinvoked() {
        return Json.string(node, "reinvocationPolicy").equals("IfNeeded");
    }

    Duration timeout() {
        return Duration.ofSeconds(node.path("timeoutSeconds").longValue(10));
    }

    LabelSelector objectSelector() {
        return LabelSelector.of(node.path("objectSelector"));
    }

    LabelSelector namespaceSelector() {
        return LabelSelector.of(node.path("namespaceSelector"));
    }

    List<JsonNode> conditions() {
        return node.path("matchConditions").valueStream().toList();
    }

    /** The version of the resource that the webhook wants to see; none if no rule matches. */
    Optional<Resource> wanted(AdmissionAttributes operation, ServedResources servedResources) {
        Resource resource = operation.resource();
        if (rules().anyMatch(rule -> rule.matches(operation, resource))) {
            return Optional.of(resource);
        }
        if (!Json.string(node, "matchPolicy").equals("Equivalent")) {
            return Optional.empty();
        }
        List<Resource> siblings = servedResources.groups().stream()
                .flatMap(group -> group.versions().values().stream())
                .flatMap(List::stream)
                .filter(other -> other.bucket().equals(resource.bucket()) && !other.equals(resource))
                .toList();
        return rules().flatMap(rule -> siblings.stream().filter(other -> rule.matches(operation, other)))
                .findFirst();
    }

    private Stream<WebhookRule> rules() {
        return node.path("rules").valueStream().map(WebhookRule::new);
    }
}
