package dev.kopf4j.devcluster.authorization;

import dev.kopf4j.devcluster.authentication.UserInfo;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.ApiException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Answers the kinds that are questions: what somebody may do, who somebody is. Nothing of them is stored. */
public final class AccessReviews {
    private static final Set<String> KINDS = Set.of(
            "SelfSubjectAccessReview",
            "SubjectAccessReview",
            "LocalSubjectAccessReview",
            "SelfSubjectRulesReview",
            "SelfSubjectReview",
            "TokenReview");
    private final AccessControl accessControl;
    private final RbacAuthorizer rbacAuthorizer;

    /** Answers by that gate. */
    public AccessReviews(AccessControl accessControl, RbacAuthorizer rbacAuthorizer) {
        this.accessControl = accessControl;
        this.rbacAuthorizer = rbacAuthorizer;
    }

    /** Whether a kind is a question. */
    public static boolean isReview(String kind) {
        return KINDS.contains(kind);
    }

    /** The review with its status. */
    public ObjectNode answer(ObjectNode review, UserInfo asking, String namespace) {
        Json.child(review, "metadata");
        JsonNode spec = review.path("spec");
        ObjectNode status = Json.object();
        switch (Json.string(review, "kind")) {
            case "SelfSubjectReview" -> status.set("userInfo", asking.info());
            case "TokenReview" -> token(spec, status);
            case "SelfSubjectRulesReview" -> rules(asking, Json.string(spec, "namespace"), status);
            case "SelfSubjectAccessReview" -> {
                AccessReviewValidation.self(review);
                access(asking, attributes(spec), status);
            }
            case "LocalSubjectAccessReview" -> {
                Json.child(review, "metadata").put("namespace", namespace);
                AccessReviewValidation.local(review, namespace);
                access(user(spec), attributes(spec), status);
            }
            default -> {
                AccessReviewValidation.other(review);
                access(user(spec), attributes(spec), status);
            }
        }
        review.set("status", status);
        return review;
    }

    private void access(UserInfo userInfo, AuthorizationAttributes authorizationAttributes, ObjectNode status) {
        status.put("allowed", accessControl.allows(userInfo, authorizationAttributes));
        accessControl.reason(userInfo, authorizationAttributes).ifPresent(reason -> status.put("reason", reason));
    }

    private static UserInfo user(JsonNode spec) {
        List<String> groups =
                spec.path("groups").valueStream().map(JsonNode::stringValue).toList();
        Map<String, List<String>> extra = new HashMap<>();
        return new UserInfo(Json.string(spec, "user"), Json.string(spec, "uid"), groups, extra);
    }

    private static AuthorizationAttributes attributes(JsonNode spec) {
        JsonNode resource = spec.path("resourceAttributes");
        JsonNode path = spec.path("nonResourceAttributes");
        if (path.isObject()) {
            return new AuthorizationAttributes(
                    Json.string(path, "verb"), "", "", "", "", "", Json.string(path, "path"));
        }
        return new AuthorizationAttributes(
                Json.string(resource, "verb"),
                Json.string(resource, "group"),
                Json.string(resource, "resource"),
                Json.string(resource, "subresource"),
                Json.string(resource, "namespace"),
                Json.string(resource, "name"),
                "");
    }

    private void token(JsonNode spec, ObjectNode status) {
        if (Json.string(spec, "token").isEmpty()) {
            throw ApiException.badRequest("token is required for TokenReview in authentication");
        }
        Optional<UserInfo> user = accessControl.authenticateToken(Json.string(spec, "token"));
        if (user.isPresent()) {
            status.put("authenticated", true).set("user", user.get().info());
        } else {
            status.putObject("user");
            status.put("error", "invalid bearer token");
        }
    }

    private void rules(UserInfo asking, String namespace, ObjectNode status) {
        if (namespace.isEmpty()) {
            throw ApiException.badRequest("no namespace on request");
        }
        ArrayNode resources = status.putArray("resourceRules");
        ArrayNode paths = status.putArray("nonResourceRules");
        List<JsonNode> rules = rbacAuthorizer.rules(asking, namespace);
        if (rules.isEmpty() && asking.isMaster()) {
            resources.addObject().setAll(everything("apiGroups", "resources"));
            paths.addObject().setAll(everything("nonResourceURLs"));
        }
        rules.forEach(rule -> (rule.has("nonResourceURLs") ? paths : resources).add(rule));
        status.put("incomplete", false);
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
