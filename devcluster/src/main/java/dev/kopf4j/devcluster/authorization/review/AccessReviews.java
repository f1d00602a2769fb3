package dev.kopf4j.devcluster.authorization.review;

import dev.kopf4j.devcluster.authentication.RequestAuthenticator;
import dev.kopf4j.devcluster.authentication.UserInfo;
import dev.kopf4j.devcluster.authorization.AccessControl;
import dev.kopf4j.devcluster.authorization.AuthorizationAttributes;
import dev.kopf4j.devcluster.authorization.RbacAuthorizer;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.status.StatusDetails;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

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
                "localsubjectaccessreviews.authorization.k8s.io",
                (review, asking, namespace) -> ofSubjectIn(question, review, namespace),
                "selfsubjectaccessreviews.authorization.k8s.io",
                (review, asking, namespace) -> ofSelf(question, review, asking),
                "selfsubjectrulesreviews.authorization.k8s.io",
                new SelfSubjectRulesReview(rbacAuthorizer),
                "subjectaccessreviews.authorization.k8s.io",
                (review, asking, namespace) -> ofSubject(question, review),
                "selfsubjectreviews.authentication.k8s.io",
                new SelfSubjectReview(clock),
                "tokenreviews.authentication.k8s.io",
                new TokenReview(authenticator));
    }

    /** The review that answers requests on a resource; empty for resources with objects. */
    public Optional<AccessReview> find(Resource resource) {
        return Optional.ofNullable(reviews.get(resource.qualified()));
    }

    /**
     * Says whether a user may do something in a namespace:
     * {@code pkg/registry/authorization/localsubjectaccessreview/rest.go}, v1.33.
     */
    private static ObjectNode ofSubjectIn(AccessReviewEvaluation question, ObjectNode review, String namespace) {
        Json.child(review, "metadata").put("namespace", namespace);
        new AccessReviewValidation(review)
                .exactlyOneTarget()
                .subject()
                .onlyIn(namespace)
                .refuse();
        return question.aboutSubject(review.path("spec"));
    }

    /**
     * Says whether the user of the request may do something:
     * {@code pkg/registry/authorization/selfsubjectaccessreview/rest.go}, v1.33.
     */
    private static ObjectNode ofSelf(AccessReviewEvaluation question, ObjectNode review, UserInfo asking) {
        new AccessReviewValidation(review).exactlyOneTarget().emptyMetadata().refuse();
        return question.about(asking, review.path("spec"));
    }

    /** Says whether a user may do something: {@code pkg/registry/authorization/subjectaccessreview/rest.go}, v1.33. */
    private static ObjectNode ofSubject(AccessReviewEvaluation question, ObjectNode review) {
        new AccessReviewValidation(review)
                .exactlyOneTarget()
                .subject()
                .emptyMetadata()
                .refuse();
        return question.aboutSubject(review.path("spec"));
    }

    /** Says who the user of the request is (KEP-3325). */
    private static final class SelfSubjectReview implements AccessReview {
        private final InstantSource clock;

        SelfSubjectReview(InstantSource clock) {
            this.clock = clock;
        }

        /** Of all reviews, this one has the time of its answer. */
        @Override
        public ObjectNode answer(ObjectNode review, UserInfo asking, String namespace) {
            ObjectNode answered = AccessReview.super.answer(review, asking, namespace);
            String now = clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
            Json.child(answered, "metadata").put("creationTimestamp", now);
            return answered;
        }

        @Override
        public ObjectNode status(ObjectNode review, UserInfo asking, String namespace) {
            ObjectNode status = Json.object();
            status.set("userInfo", asking.info());
            return status;
        }
    }

    /**
     * Lists what the user of the request may do in a namespace:
     * {@code pkg/registry/authorization/selfsubjectrulesreview/rest.go}, v1.33.
     */
    private static final class SelfSubjectRulesReview implements AccessReview {
        private final RbacAuthorizer rbacAuthorizer;

        SelfSubjectRulesReview(RbacAuthorizer rbacAuthorizer) {
            this.rbacAuthorizer = rbacAuthorizer;
        }

        @Override
        public ObjectNode status(ObjectNode review, UserInfo asking, String namespaceOfRequest) {
            String namespace = Json.string(review, "spec", "namespace");
            if (namespace.isEmpty()) {
                throw ApiException.badRequest("no namespace on request");
            }
            ObjectNode status = Json.object();
            ArrayNode resources = status.putArray("resourceRules");
            ArrayNode paths = status.putArray("nonResourceRules");
            List<JsonNode> rules = rbacAuthorizer.rules(asking, namespace);
            if (rules.isEmpty() && asking.isMaster()) {
                resources.addObject().setAll(everything("apiGroups", "resources"));
                paths.addObject().setAll(everything("nonResourceURLs"));
            }
            rules.forEach(rule -> (rule.has("nonResourceURLs") ? paths : resources).add(rule));
            return status.put("incomplete", false);
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

    /** Says whose token a token is: {@code pkg/registry/authentication/tokenreview/storage.go}, v1.33. */
    private static final class TokenReview implements AccessReview {
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
            List<String> audiences = Json.items(review, "spec", "audiences")
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

    /** Decides whether a user may do what the spec of a review describes. Thread-safe. */
    private static final class AccessReviewEvaluation {
        private final AccessControl accessControl;

        AccessReviewEvaluation(AccessControl accessControl) {
            this.accessControl = accessControl;
        }

        /** The status about a user who is described by the spec. */
        ObjectNode aboutSubject(JsonNode spec) {
            List<String> groups =
                    Json.items(spec, "groups").map(JsonNode::stringValue).toList();
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

    /**
     * Collects what is wrong with one access review: {@code pkg/apis/authorization/validation/validation.go}, v1.33.
     * Confined to one validation.
     */
    private static final class AccessReviewValidation {
        private final ObjectNode review;
        private final JsonNode spec;
        private final List<FieldError> causes = new ArrayList<>();

        AccessReviewValidation(ObjectNode review) {
            this.review = review;
            this.spec = review.path("spec");
        }

        /** Requires a resource or a path, and not both. */
        AccessReviewValidation exactlyOneTarget() {
            boolean resource = spec.path("resourceAttributes").isObject();
            boolean path = spec.path("nonResourceAttributes").isObject();
            if (resource && path) {
                causes.add(FieldError.invalid(
                        "spec.nonResourceAttributes",
                        Json.text(spec.get("nonResourceAttributes")),
                        "cannot be specified in combination with resourceAttributes"));
            } else if (!resource && !path) {
                causes.add(FieldError.invalid(
                        "spec.resourceAttributes",
                        "\"null\"",
                        "exactly one of nonResourceAttributes or resourceAttributes must be specified"));
            }
            return this;
        }

        /** Requires a user or a group. */
        AccessReviewValidation subject() {
            if (Json.string(spec, "user").isEmpty() && spec.path("groups").isEmpty()) {
                causes.add(FieldError.invalid("spec.user", "\"\"", "at least one of user or group must be specified"));
            }
            return this;
        }

        /** Requires that nothing is in the metadata. */
        AccessReviewValidation emptyMetadata() {
            JsonNode metadata = review.path("metadata");
            boolean empty = metadata.properties().stream()
                    .allMatch(entry -> entry.getKey().equals("managedFields")
                            || entry.getValue().isNull());
            if (!empty) {
                causes.add(FieldError.invalid("metadata", Json.text(metadata), "must be empty"));
            }
            return this;
        }

        /** Requires a resource in a namespace. */
        AccessReviewValidation onlyIn(String namespace) {
            JsonNode resource = spec.path("resourceAttributes");
            String asked = Json.string(resource, "namespace");
            if (resource.isObject() && !asked.equals(namespace)) {
                causes.add(FieldError.invalidString(
                        "spec.resourceAttributes.namespace", asked, "must match metadata.namespace"));
            }
            if (spec.has("nonResourceAttributes")) {
                causes.add(FieldError.invalid(
                        "spec.nonResourceAttributes",
                        Json.text(spec.get("nonResourceAttributes")),
                        "disallowed on this kind of request"));
            }
            return this;
        }

        /** Throws 422 if anything is wrong. */
        void refuse() {
            if (!causes.isEmpty()) {
                throw ApiException.invalid(new StatusDetails("authorization.k8s.io", "", ""), causes);
            }
        }
    }
}
