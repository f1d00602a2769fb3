package dev.kopf4j.devcluster.admission;

import dev.kopf4j.devcluster.cel.PolicyExpressions;
import dev.kopf4j.devcluster.resource.Resource;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What the expressions of policies see of an operation: {@code CreateAdmissionRequest} and
 * {@code CreateNamespaceObject} in {@code pkg/admission/plugin/cel/condition.go} of the apiserver library, v1.33.
 */
record PolicySubject(
        AdmissionAttributes operation,
        UserRights rights,
        ObjectNode request,
        JsonNode object,
        JsonNode oldObject,
        JsonNode namespace) {
    static PolicySubject of(
            AdmissionAttributes operation,
            UserRights rights,
            Resource wanted,
            @Nullable ObjectNode object,
            JsonNode namespace) {
        ObjectNode request =
                (ObjectNode) AdmissionReviews.review(VersionedOperation.of(operation, wanted, object), "", "v1")
                        .get("request");
        JsonNode shown = request.path("object");
        JsonNode before = request.path("oldObject");
        request.remove(List.of("object", "oldObject"));
        if (namespace.path("metadata") instanceof ObjectNode metadata) {
            metadata.remove(List.of("managedFields", "ownerReferences"));
        }
        return new PolicySubject(operation, rights, request, shown, before, namespace);
    }

    /** The expressions of a policy with these parameters. */
    PolicyExpressions expressions(JsonNode params, JsonNode variables) {
        return new PolicyExpressions(
                Map.of(
                        "object", object,
                        "oldObject", oldObject,
                        "request", request,
                        "params", params,
                        "namespaceObject", namespace),
                rights.requested(operation),
                variables);
    }
}
