package dev.kopf4j.devcluster.authorization.review;

import dev.kopf4j.devcluster.authentication.RequestAuthenticator;
import dev.kopf4j.devcluster.authentication.UserInfo;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.ApiException;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Says whose token a token is: {@code pkg/registry/authentication/tokenreview/storage.go}, v1.33. */
final class TokenReview implements AccessReview {
    private static final String INVALID = "invalid bearer token";
    private static final String WRONG_AUDIENCE = ", or it is for none of the audiences";
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
        List<String> audiences = review.path("spec")
                .path("audiences")
                .valueStream()
                .map(JsonNode::asString)
                .toList();
        authenticator
                .authenticateToken(token, audiences)
                .ifPresentOrElse(
                        holder -> {
                            status.put("authenticated", true);
                            status.set("user", holder.user().info());
                            status.set("audiences", Json.array(holder.audiences()));
                        },
                        () -> {
                            status.putObject("user");
                            status.put("error", audiences.isEmpty() ? INVALID : INVALID + WRONG_AUDIENCE);
                        });
        return status;
    }
}
