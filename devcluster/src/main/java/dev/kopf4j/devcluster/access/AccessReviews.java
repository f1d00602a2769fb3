package dev.kopf4j.devcluster.access;

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
    private final Gate gate;
    private final Rbac rbac;

    /** Answers by that gate. */
    public AccessReviews(Gate gate, Rbac rbac) {
        this.gate = gate;
        this.rbac = rbac;
    }

    /** Whether a kind is a question. */
    public static boolean isReview(String kind) {
        return KINDS.contains(kind);
    }

    /** The review with its status. */
    public ObjectNode answer(ObjectNode review, User asking, String namespace) {
        Json.child(review, "metadata");
        JsonNode spec = review.path("spec");
        ObjectNode status = Json.object();
        switch (Json.string(review, "kind")) {
            case "SelfSubjectReview" -> status.set("userInfo", asking.info());
            case "TokenReview" -> token(spec, status);
            case "SelfSubjectRulesReview" -> rules(asking, Json.string(spec, "namespace"), status);
            case "SelfSubjectAccessReview" -> {
                ReviewChecks.self(review);
                access(asking, attributes(spec), status);
            }
            case "LocalSubjectAccessReview" -> {
                Json.child(review, "metadata").put("namespace", namespace);
                ReviewChecks.local(review, namespace);
                access(user(spec), attributes(spec), status);
            }
            default -> {
                ReviewChecks.other(review);
                access(user(spec), attributes(spec), status);
            }
        }
        review.set("status", status);
        return review;
    }

    private void access(User user, Attributes attributes, ObjectNode status) {
        status.put("allowed", gate.allows(user, attributes));
        gate.reason(user, attributes).ifPresent(reason -> status.put("reason", reason));
    }

    private static User user(JsonNode spec) {
        List<String> groups =
                spec.path("groups").valueStream().map(JsonNode::stringValue).toList();
        Map<String, List<String>> extra = new HashMap<>();
        return new User(Json.string(spec, "user"), Json.string(spec, "uid"), groups, extra);
    }

    private static Attributes attributes(JsonNode spec) {
        JsonNode resource = spec.path("resourceAttributes");
        JsonNode path = spec.path("nonResourceAttributes");
        if (path.isObject()) {
            return new Attributes(Json.string(path, "verb"), "", "", "", "", "", Json.string(path, "path"));
        }
        return new Attributes(
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
        Optional<User> user = gate.recognise(Json.string(spec, "token"));
        if (user.isPresent()) {
            status.put("authenticated", true).set("user", user.get().info());
        } else {
            status.putObject("user");
            status.put("error", "invalid bearer token");
        }
    }

    private void rules(User asking, String namespace, ObjectNode status) {
        if (namespace.isEmpty()) {
            throw ApiException.badRequest("no namespace on request");
        }
        ArrayNode resources = status.putArray("resourceRules");
        ArrayNode paths = status.putArray("nonResourceRules");
        List<JsonNode> rules = rbac.rules(asking, namespace);
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
