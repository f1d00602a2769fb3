package dev.kopf4j.devcluster.authorization.review;

import dev.kopf4j.devcluster.authentication.UserInfo;
import dev.kopf4j.devcluster.json.Json;
import tools.jackson.databind.node.ObjectNode;

/**
 * Says whether a user may do something in a namespace:
 * {@code pkg/registry/authorization/localsubjectaccessreview/rest.go}, v1.33.
 */
final class LocalSubjectAccessReview implements AccessReview {
    private final AccessReviewEvaluation question;

    LocalSubjectAccessReview(AccessReviewEvaluation question) {
        this.question = question;
    }

    @Override
    public ObjectNode status(ObjectNode review, UserInfo asking, String namespace) {
        Json.child(review, "metadata").put("namespace", namespace);
        new AccessReviewValidation(review)
                .exactlyOneTarget()
                .subject()
                .onlyIn(namespace)
                .refuse();
        return question.aboutSubject(review.path("spec"));
    }
}
