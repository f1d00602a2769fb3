package dev.kopf4j.devcluster.authorization.review;

import dev.kopf4j.devcluster.authentication.RequestAuthenticator;
import dev.kopf4j.devcluster.authentication.UserInfo;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.ApiException;
import tools.jackson.databind.node.ObjectNode;

/** Says whose token a token is: {@code pkg/registry/authentication/tokenreview/storage.go}, v1.33. */
final class TokenReview implements AccessReview {
    private final RequestAuthenticator authenticator;

    TokenReview(RequestAuthenticator authenticator) {
        this.authenticator = authenticator;
    }

    @Override
    public ObjectNode status(ObjectNode review, UserInfo asking, String namespace) {
        String token = Json.string(review, "spec", "token");
        if (token.isEmpty()) {
            throw ApiException.badRequest("token is required for TokenReview in authentication");
        }
        ObjectNode status = Json.object();
        authenticator
                .authenticateToken(token)
                .ifPresentOrElse(user -> status.put("authenticated", true).set("user", user.info()), () -> {
                    status.putObject("user");
                    status.put("error", "invalid bearer token");
                });
        return status;
    }
}
