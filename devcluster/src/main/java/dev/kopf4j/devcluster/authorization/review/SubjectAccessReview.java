package dev.kopf4j.devcluster.authorization.review;

import dev.kopf4j.devcluster.authentication.UserInfo;
import tools.jackson.databind.node.ObjectNode;

/** Says whether a user may do something: {@code pkg/registry/authorization/subjectaccessreview/rest.go}, v1.33. */
final class SubjectAccessReview implements AccessReview {
    private final AccessReviewEvaluation question;

    SubjectAccessReview(AccessReviewEvaluation question) {
        this.question = question;
    }

    @Override
    public ObjectNode status(ObjectNode review, UserInfo asking, String namespace) {
        new AccessReviewValidation(review)
                .exactlyOneTarget()
                .subject()
                .emptyMetadata()
                .refuse();
        return question.aboutSubject(review.path("spec"));
    }
}
