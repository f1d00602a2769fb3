package dev.kopf4j.devcluster.authorization.review;

import dev.kopf4j.devcluster.authentication.UserInfo;
import dev.kopf4j.devcluster.authorization.RbacAuthorizer;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.ApiException;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Lists what the user of the request may do in a namespace:
 * {@code pkg/registry/authorization/selfsubjectrulesreview/rest.go}, v1.33.
 */
final class SelfSubjectRulesReview implements AccessReview {
    private final RbacAuthorizer rbacAuthorizer;

    SelfSubjectRulesReview(RbacAuthorizer rbacAuthorizer) {
        this.rbacAuthorizer = rbacAuthorizer;
    }

    @Override
    public ObjectNode status(ObjectNode review, UserInfo asking, String namespaceOfRequest) {
        String namespace = Json.string(review, "spec", "namespace");
        if (namespace.isEmpty()) {
            throw ApiException.badRequest("no namespace on request");
        }
        ObjectNode status = Json.object();
        ArrayNode resources = status.putArray("resourceRules");
        ArrayNode paths = status.putArray("nonResourceRules");
        List<JsonNode> rules = rbacAuthorizer.rules(asking, namespace);
        if (rules.isEmpty() && asking.isMaster()) {
            resources.addObject().setAll(everything("apiGroups", "resources"));
            paths.addObject().setAll(everything("nonResourceURLs"));
        }
        rules.forEach(rule -> (rule.has("nonResourceURLs") ? paths : resources).add(rule));
        return status.put("incomplete", false);
    }

    private static ObjectNode everything(String... fields) {
        ObjectNode rule = Json.object();
        rule.putArray("verbs").add("*");
        for (String field : fields) {
            rule.putArray(field).add("*");
        }
        return rule;
    }
}
