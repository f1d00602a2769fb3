package dev.kopf4j.devcluster.authorization.review;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.status.StatusDetails;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Collects what is wrong with one access review: {@code pkg/apis/authorization/validation/validation.go}, v1.33.
 * Confined to one validation.
 */
final class AccessReviewValidation {
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
