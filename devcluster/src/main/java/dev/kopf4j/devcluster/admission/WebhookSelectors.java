package dev.kopf4j.devcluster.admission;

import dev.kopf4j.devcluster.authorization.AccessControl;
import dev.kopf4j.devcluster.cel.MatchConditions;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.resource.Buckets;
import dev.kopf4j.devcluster.selector.LabelSelector;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.storage.ObjectStore;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Whether the selectors and conditions of a webhook match an operation: {@code predicates} and {@code matchconditions}
 * in {@code pkg/admission/plugin/webhook} of the apiserver library, v1.33. Thread-safe.
 */
final class WebhookSelectors {
    private final ObjectStore objectStore;
    private final AccessControl accessControl;

    /** Matches objects, and their namespaces, which are in a store. */
    WebhookSelectors(ObjectStore objectStore, AccessControl accessControl) {
        this.objectStore = objectStore;
        this.accessControl = accessControl;
    }

    /** Whether the object selector and the namespace selector of a webhook or a policy match. */
    boolean match(JsonNode selecting, AdmissionAttributes operation, @Nullable ObjectNode object) {
        ObjectNode before = operation.before();
        LabelSelector objects = LabelSelector.of(selecting.path("objectSelector"));
        boolean objectMatches = objects.isEmpty() || matches(objects, object) || matches(objects, before);
        return objectMatches && matchesNamespace(selecting, operation, object);
    }

    /** What cannot have labels, as the options of a connection, matches no selector, whatever that asks for. */
    private static boolean matches(LabelSelector selector, @Nullable ObjectNode object) {
        return object != null && object.has("metadata") && selector.matches(labels(object));
    }

    /** Objects of the cluster, other than namespaces, are never exempted. */
    private boolean matchesNamespace(JsonNode selecting, AdmissionAttributes operation, @Nullable ObjectNode object) {
        LabelSelector namespaces = LabelSelector.of(selecting.path("namespaceSelector"));
        if (operation.resource().isNamespace()) {
            ObjectNode itself = object != null ? object : operation.before();
            return namespaces.matches(itself == null ? Json.missing() : labels(itself));
        }
        return operation.namespace().isEmpty() || namespaces.matches(labels(namespace(operation)));
    }

    /** The namespace of an operation; a missing node if there is none. */
    JsonNode namespace(AdmissionAttributes operation) {
        StoredObject namespace = objectStore.bucket(Buckets.NAMESPACES).get("", operation.namespace());
        return namespace == null ? Json.missing() : namespace.tree();
    }

    private static JsonNode labels(JsonNode object) {
        return object.path("metadata").path("labels");
    }

    /** Whether all match conditions are true; a condition that fails refuses the operation, or is ignored. */
    boolean conditionsMatch(AdmissionWebhook webhook, AdmissionAttributes operation, ObjectNode review) {
        if (webhook.conditions().isEmpty()) {
            return true;
        }
        try {
            UserRights rights = new UserRights(accessControl, operation.userInfo());
            return MatchConditions.hold(
                    webhook.conditions(), (ObjectNode) review.get("request"), rights.requested(operation));
        } catch (MatchConditions.Failed e) {
            if (webhook.ignoresFailures()) {
                return false;
            }
            throw ApiException.forbidden(
                    operation.resource().subject(operation.name()), String.valueOf(e.getMessage()), List.of(), "");
        }
    }
}
