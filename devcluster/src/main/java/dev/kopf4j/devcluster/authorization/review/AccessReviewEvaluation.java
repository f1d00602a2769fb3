package dev.kopf4j.devcluster.authorization.review;

import dev.kopf4j.devcluster.authentication.UserInfo;
import dev.kopf4j.devcluster.authorization.AccessControl;
import dev.kopf4j.devcluster.authorization.AuthorizationAttributes;
import dev.kopf4j.devcluster.json.Json;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Decides whether a user may do what the spec of a review describes. Thread-safe. */
final class AccessReviewEvaluation {
    private final AccessControl accessControl;

    AccessReviewEvaluation(AccessControl accessControl) {
        this.accessControl = accessControl;
    }

    /** The status about a user who is described by the spec. */
    ObjectNode aboutSubject(JsonNode spec) {
        List<String> groups =
                spec.path("groups").valueStream().map(JsonNode::stringValue).toList();
        return about(new UserInfo(Json.string(spec, "user"), Json.string(spec, "uid"), groups, Map.of()), spec);
    }

    /** The status about a user. */
    ObjectNode about(UserInfo user, JsonNode spec) {
        AuthorizationAttributes attributes = attributes(spec);
        ObjectNode status = Json.object().put("allowed", accessControl.allows(user, attributes));
        accessControl.reason(user, attributes).ifPresent(reason -> status.put("reason", reason));
        return status;
    }

    private static AuthorizationAttributes attributes(JsonNode spec) {
        JsonNode resource = spec.path("resourceAttributes");
        JsonNode path = spec.path("nonResourceAttributes");
        return path.isObject()
                ? AuthorizationAttributes.ofPath(Json.string(path, "verb"), Json.string(path, "path"))
                : new AuthorizationAttributes(
                        Json.string(resource, "verb"),
                        Json.string(resource, "group"),
                        Json.string(resource, "resource"),
                        Json.string(resource, "subresource"),
                        Json.string(resource, "namespace"),
                        Json.string(resource, "name"),
                        "");
    }
}
