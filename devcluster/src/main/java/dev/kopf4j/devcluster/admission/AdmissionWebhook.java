package dev.kopf4j.devcluster.admission;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.resource.ServedResources;
import dev.kopf4j.devcluster.selector.LabelSelector;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** One webhook of a configuration. Immutable. */
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

    String authorities() {
        String bundle = Json.string(node, "clientConfig", "caBundle");
        return bundle.isEmpty() ? "" : new String(Base64.getMimeDecoder().decode(bundle), StandardCharsets.UTF_8);
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

    /** The version of the resource in which the hook wants to see it; none when no rule fits. */
    Optional<Resource> wanted(AdmissionAttributes admissionAttributes, ServedResources servedResources) {
        for (JsonNode rule : node.path("rules")) {
            if (fits(rule, admissionAttributes, admissionAttributes.resource())) {
                return Optional.of(admissionAttributes.resource());
            }
        }
        if (!Json.string(node, "matchPolicy").equals("Equivalent")) {
            return Optional.empty();
        }
        for (JsonNode rule : node.path("rules")) {
            for (Resource other : siblings(admissionAttributes.resource(), servedResources)) {
                if (fits(rule, admissionAttributes, other)) {
                    return Optional.of(other);
                }
            }
        }
        return Optional.empty();
    }

    private static List<Resource> siblings(Resource resource, ServedResources servedResources) {
        return servedResources.groups().stream()
                .flatMap(group -> group.versions().values().stream())
                .flatMap(List::stream)
                .filter(other -> other.bucket().equals(resource.bucket()) && !other.equals(resource))
                .toList();
    }

    private static boolean fits(JsonNode rule, AdmissionAttributes admissionAttributes, Resource resource) {
        String scope = Json.string(rule, "scope");
        boolean scopeFits =
                scope.isEmpty() || scope.equals("*") || scope.equals(resource.namespaced() ? "Namespaced" : "Cluster");
        return scopeFits
                && names(rule.path("operations"), admissionAttributes.verb())
                && names(rule.path("apiGroups"), resource.group())
                && names(rule.path("apiVersions"), resource.version())
                && resourceFits(rule.path("resources"), resource.plural(), admissionAttributes.subresource());
    }

    private static boolean names(JsonNode words, String word) {
        return words.valueStream().map(JsonNode::stringValue).anyMatch(each -> each.equals("*") || each.equals(word));
    }

    private static boolean resourceFits(JsonNode rules, String plural, String subresource) {
        for (JsonNode each : rules) {
            String rule = each.stringValue();
            int slash = rule.indexOf('/');
            String first = slash < 0 ? rule : rule.substring(0, slash);
            String second = slash < 0 ? "" : rule.substring(slash + 1);
            boolean firstFits = first.equals("*") || first.equals(plural);
            boolean secondFits = slash < 0 ? subresource.isEmpty() : second.equals("*") || second.equals(subresource);
            if (firstFits && secondFits) {
                return true;
            }
        }
        return false;
    }
}
