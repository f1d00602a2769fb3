package dev.kopf4j.devcluster.authorization.review;

import dev.kopf4j.devcluster.authentication.RequestAuthenticator;
import dev.kopf4j.devcluster.authorization.AccessControl;
import dev.kopf4j.devcluster.authorization.RbacAuthorizer;
import dev.kopf4j.devcluster.resource.Resource;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;

/** The reviews by their resources. Thread-safe. */
public final class AccessReviews {
    private final Map<String, AccessReview> reviews;

    /** Answers reviews by these rights and tokens. */
    public AccessReviews(
            AccessControl accessControl,
            RbacAuthorizer rbacAuthorizer,
            RequestAuthenticator authenticator,
            InstantSource clock) {
        AccessReviewEvaluation question = new AccessReviewEvaluation(accessControl);
        this.reviews = Map.of(
                "localsubjectaccessreviews.authorization.k8s.io", new LocalSubjectAccessReview(question),
                "selfsubjectaccessreviews.authorization.k8s.io", new SelfSubjectAccessReview(question),
                "selfsubjectrulesreviews.authorization.k8s.io", new SelfSubjectRulesReview(rbacAuthorizer),
                "subjectaccessreviews.authorization.k8s.io", new SubjectAccessReview(question),
                "selfsubjectreviews.authentication.k8s.io", new SelfSubjectReview(clock),
                "tokenreviews.authentication.k8s.io", new TokenReview(authenticator));
    }

    /** The review that answers requests on a resource; empty for resources with objects. */
    public Optional<AccessReview> find(Resource resource) {
        return Optional.ofNullable(reviews.get(resource.qualified()));
    }
}
