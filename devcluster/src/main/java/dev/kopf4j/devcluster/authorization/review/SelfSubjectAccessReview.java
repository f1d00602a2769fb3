package dev.kopf4j.devcluster.authorization.review;

import dev.kopf4j.devcluster.authentication.UserInfo;
import tools.jackson.databind.node.ObjectNode;

/**
 * Says whether the user of the request may do something:
 * {@code pkg/registry/authorization/selfsubjectaccessreview/rest.go}, v1.33.
 */
final class SelfSubjectAccessReview implements AccessReview {
    private final AccessReviewEvaluation question;

    SelfSubjectAccessReview(AccessReviewEvaluation question) {
        this.question = question;
    }

    @Override
    public ObjectNode status(ObjectNode review, UserInfo asking, String namespace) {
        new AccessReviewValidation(review).exactlyOneTarget().emptyMetadata().refuse();
        return question.about(asking, review.path("spec"));
    }
}
