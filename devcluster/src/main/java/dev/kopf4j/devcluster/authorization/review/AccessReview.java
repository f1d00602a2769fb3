package dev.kopf4j.devcluster.authorization.review;

import dev.kopf4j.devcluster.authentication.UserInfo;
import dev.kopf4j.devcluster.json.Json;
import tools.jackson.databind.node.ObjectNode;

/** Answers one kind of review. Thread-safe. */
public interface AccessReview {
    /** The status of a review; {@link dev.kopf4j.devcluster.status.ApiException} if its spec is not valid. */
    ObjectNode status(ObjectNode review, UserInfo asking, String namespace);

    /** The review with its status. */
    default ObjectNode answer(ObjectNode review, UserInfo asking, String namespace) {
        Json.child(review, "metadata");
        review.set("status", status(review, asking, namespace));
        return review;
    }
}
