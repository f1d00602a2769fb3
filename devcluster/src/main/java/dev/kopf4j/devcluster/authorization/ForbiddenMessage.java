package dev.kopf4j.devcluster.authorization;

import dev.kopf4j.devcluster.authentication.UserInfo;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.status.StatusDetails;
import java.util.List;

/**
 * The 403 about what a user may not do: {@code forbiddenMessage} in
 * {@code pkg/endpoints/handlers/responsewriters/errors.go} of the apiserver library, v1.33. Pure.
 */
final class ForbiddenMessage {
    private ForbiddenMessage() {}

    static ApiException of(UserInfo user, AuthorizationAttributes attributes) {
        String who = "User \"" + user.name() + "\" cannot " + attributes.verb();
        if (!attributes.isResource()) {
            String message = "forbidden: " + who + " path \"" + attributes.path() + "\"";
            return ApiException.of(403, "Forbidden", message, Json.object(), true);
        }
        String where = attributes.namespace().isEmpty()
                ? "at the cluster scope"
                : "in the namespace \"" + attributes.namespace() + "\"";
        return ApiException.forbidden(
                new StatusDetails(attributes.group(), attributes.resource(), attributes.name()),
                who + " resource \"" + attributes.qualifiedResource() + "\" in API group \"" + attributes.group()
                        + "\" " + where,
                List.of(),
                "");
    }
}
