package dev.kopf4j.engine.maintenance;

import dev.kopf4j.Resource;
import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.api.WellKnownResources;
import dev.kopf4j.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Asks the API server what the account in use may not do. Confined to a task.
 *
 * @see <a href="https://kubernetes.io/docs/reference/access-authn-authz/authorization/#checking-api-access">self
 *     subject access reviews</a>
 */
final class MissingRights {
    private final KubernetesApi api;
    private final Set<String> missing = new TreeSet<>();

    MissingRights(KubernetesApi api) {
        this.api = api;
    }

    /** Asks about verbs, and remembers those that are not permitted. */
    void ask(Resource resource, String subresource, @Nullable String namespace, List<String> verbs)
            throws InterruptedException {
        List<String> refused = new ArrayList<>();
        for (String verb : verbs) {
            if (!isPermitted(resource, subresource, namespace, verb)) {
                refused.add(verb);
            }
        }
        if (!refused.isEmpty()) {
            String name = resource.plural() + (subresource.isEmpty() ? "" : "/" + subresource);
            missing.add(String.join(", ", refused) + " of " + name
                    + (resource.group().isEmpty() ? "" : " in the API group " + resource.group())
                    + (namespace == null ? " cluster-wide" : " in '" + namespace + "'"));
        }
    }

    private boolean isPermitted(Resource resource, String subresource, @Nullable String namespace, String verb)
            throws InterruptedException {
        ObjectNode review = Json.object();
        review.put("apiVersion", WellKnownResources.SELF_SUBJECT_ACCESS_REVIEWS.apiVersion());
        review.put("kind", "SelfSubjectAccessReview");
        ObjectNode attributes = review.putObject("spec").putObject("resourceAttributes");
        attributes.put("group", resource.group());
        attributes.put("resource", resource.plural());
        attributes.put("verb", verb);
        if (!subresource.isEmpty()) {
            attributes.put("subresource", subresource);
        }
        if (namespace != null) {
            attributes.put("namespace", namespace);
        }
        return api.create(WellKnownResources.SELF_SUBJECT_ACCESS_REVIEWS, null, review)
                .path("status")
                .path("allowed")
                .asBoolean(false);
    }

    /** What was not permitted, in words, sorted. */
    List<String> found() {
        return List.copyOf(missing);
    }
}
