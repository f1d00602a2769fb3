package dev.kopf4j.engine.rights;

import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.api.WellKnownResources;
import dev.kopf4j.engine.rights.RequiredRule.RightScope;
import dev.kopf4j.json.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Asks the API server which of some rights the account in use does not have. Confined to a task.
 *
 * @see <a href="https://kubernetes.io/docs/reference/access-authn-authz/authorization/#checking-api-access">self
 *     subject access reviews</a>
 */
public final class RightsReview {
    private final KubernetesApi api;
    private final Map<Question, Boolean> answers = new HashMap<>();

    /** What is asked; null for all namespaces or objects. */
    private record Question(
            String verb,
            String group,
            String resource,
            @Nullable String namespace,
            @Nullable String name) {}

    /** A review for the account that the API uses. */
    public RightsReview(KubernetesApi api) {
        this.api = api;
    }

    /** What is missing, in words for people, each with who needs it. */
    public List<String> missing(List<RequiredRule> rules) throws InterruptedException {
        Set<String> missing = new LinkedHashSet<>();
        for (RequiredRule rule :
                rules.stream().filter(each -> !each.isForSomeClusters()).toList()) {
            String namespace = rule.scope().kind() == RightScope.Kind.OWN
                    ? api.defaultNamespace()
                    : rule.scope().namespace();
            List<String> verbs = refused(rule, namespace);
            if (!verbs.isEmpty()) {
                missing.add(String.join(", ", verbs) + " of " + rule.resource()
                        + (rule.apiGroup().isEmpty() ? "" : " in the API group " + rule.apiGroup())
                        + (rule.resourceNames().isEmpty() ? "" : " named " + String.join(", ", rule.resourceNames()))
                        + (namespace == null ? " cluster-wide" : " in '" + namespace + "'")
                        + (rule.reason().isEmpty() ? "" : ", for " + rule.reason()));
            }
        }
        return List.copyOf(missing);
    }

    private List<String> refused(RequiredRule rule, @Nullable String namespace) throws InterruptedException {
        List<@Nullable String> names = new ArrayList<>(rule.resourceNames());
        if (names.isEmpty()) {
            names.add(null);
        }
        List<String> refused = new ArrayList<>();
        for (String verb : rule.verbs()) {
            for (String name : names) {
                Question question = new Question(verb, rule.apiGroup(), rule.resource(), namespace, name);
                if (!isAllowed(question) && !refused.contains(verb)) {
                    refused.add(verb);
                }
            }
        }
        return refused;
    }

    private boolean isAllowed(Question question) throws InterruptedException {
        Boolean known = answers.get(question);
        if (known == null) {
            known = api.create(WellKnownResources.SELF_SUBJECT_ACCESS_REVIEWS, null, review(question))
                    .path("status")
                    .path("allowed")
                    .asBoolean(false);
            answers.put(question, known);
        }
        return known;
    }

    private static ObjectNode review(Question question) {
        ObjectNode review = Json.object();
        review.put("apiVersion", WellKnownResources.SELF_SUBJECT_ACCESS_REVIEWS.apiVersion());
        review.put("kind", WellKnownResources.SELF_SUBJECT_ACCESS_REVIEWS.kind());
        ObjectNode attributes = review.putObject("spec").putObject("resourceAttributes");
        String[] parts = question.resource().split("/", 2);
        attributes.put("group", question.group()).put("resource", parts[0]).put("verb", question.verb());
        if (parts.length > 1) {
            attributes.put("subresource", parts[1]);
        }
        if (question.namespace() != null) {
            attributes.put("namespace", question.namespace());
        }
        if (question.name() != null) {
            attributes.put("name", question.name());
        }
        return review;
    }
}
