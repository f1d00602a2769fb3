package dev.kopf4j.devcluster.strategy.core.volume;

import dev.kopf4j.devcluster.json.Json;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Adds the finalizer that keeps claims and volumes while they are in use: the admission plugin
 * StorageObjectInUseProtection ({@code plugin/pkg/admission/storage/storageobjectinuseprotection/admission.go}, v1.33).
 * Pure.
 */
final class StorageProtection {
    private StorageProtection() {}

    static void hold(ObjectNode object, String finalizer) {
        ArrayNode finalizers = Json.list(Json.child(object, "metadata"), "finalizers");
        if (finalizers.valueStream().noneMatch(each -> each.asString().equals(finalizer))) {
            finalizers.add(finalizer);
        }
    }
}
