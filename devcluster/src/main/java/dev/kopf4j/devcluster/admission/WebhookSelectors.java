package dev.kopf4j.devcluster.admission;

import dev.kopf4j.devcluster.cel.MatchConditions;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.resource.Buckets;
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

    /** Matches objects, and their namespaces, which are in a store. */
    WebhookSelectors(ObjectStore objectStore) {
        this.objectStore = objectStore;
    }

    /** Whether both selectors match. */
    boolean match(AdmissionWebhook webhook, AdmissionAttributes operation, @Nullable ObjectNode object) {
        ObjectNode before = operation.before();
        boolean objectMatches =
                (object != null && matches(webhook, object)) || (before != null && matches(webhook, before));
        return objectMatches && webhook.namespaceSelector().matches(namespaceLabels(operation, object));
    }

    private static boolean matches(AdmissionWebhook webhook, JsonNode object) {
        return webhook.objectSelector().matches(labels(object));
    }

    private static JsonNode labels(JsonNode object) {
        return object.path("metadata").path("labels");
    }

    private JsonNode namespaceLabels(AdmissionAttributes operation, @Nullable ObjectNode object) {
        if (operation.resource().isNamespace()) {
            ObjectNode namespace = object != null ? object : operation.before();
            return namespace == null ? Json.missing() : labels(namespace);
        }
        StoredObject namespace = objectStore.bucket(Buckets.NAMESPACES).get("", operation.namespace());
        return namespace == null ? Json.missing() : labels(namespace.tree());
    }

    /** Whether all match conditions are true; a condition that fails refuses the operation, or is ignored. */
    static boolean conditionsMatch(AdmissionWebhook webhook, AdmissionAttributes operation, ObjectNode review) {
        if (webhook.conditions().isEmpty()) {
            return true;
        }
        try {
            return MatchConditions.hold(webhook.conditions(), (ObjectNode) review.get("request"));
        } catch (MatchConditions.Failed e) {
            if (webhook.ignoresFailures()) {
                return false;
            }
            throw ApiException.forbidden(
                    operation.resource().subject(operation.name()), String.valueOf(e.getMessage()), List.of(), "");
        }
    }
}
