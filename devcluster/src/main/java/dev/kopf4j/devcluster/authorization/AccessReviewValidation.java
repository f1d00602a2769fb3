package dev.kopf4j.devcluster.authorization;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.status.StatusDetails;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Questions that make no sense, by {@code pkg/apis/authorization/validation} of Kubernetes v1.33. */
final class AccessReviewValidation {
    private AccessReviewValidation() {}

    /** What somebody may do himself. */
    static void self(ObjectNode review) {
        List<FieldError> causes = attributes(review.path("spec"));
        emptyMetadata(review, causes);
        refuse(causes);
    }

    /** What somebody else may do. */
    static void other(ObjectNode review) {
        List<FieldError> causes = attributes(review.path("spec"));
        somebody(review.path("spec"), causes);
        emptyMetadata(review, causes);
        refuse(causes);
    }

    /** What somebody else may do in one namespace. */
    static void local(ObjectNode review, String namespace) {
        JsonNode spec = review.path("spec");
        List<FieldError> causes = attributes(spec);
        somebody(spec, causes);
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
        refuse(causes);
    }

    private static List<FieldError> attributes(JsonNode spec) {
        List<FieldError> causes = new ArrayList<>();
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
        return causes;
    }

    private static void somebody(JsonNode spec, List<FieldError> causes) {
        if (Json.string(spec, "user").isEmpty() && spec.path("groups").isEmpty()) {
            causes.add(FieldError.invalid("spec.user", "\"\"", "at least one of user or group must be specified"));
        }
    }

    private static void emptyMetadata(ObjectNode review, List<FieldError> causes) {
        JsonNode metadata = review.path("metadata");
        boolean empty = metadata.properties().stream()
                .allMatch(entry -> entry.getKey().equals("managedFields")
                        || entry.getValue().isNull());
        if (!empty) {
            causes.add(FieldError.invalid("metadata", Json.text(metadata), "must be empty"));
        }
    }

    private static void refuse(List<FieldError> causes) {
        if (!causes.isEmpty()) {
            throw ApiException.invalid(new StatusDetails("authorization.k8s.io", "", ""), causes);
        }
    }
}
