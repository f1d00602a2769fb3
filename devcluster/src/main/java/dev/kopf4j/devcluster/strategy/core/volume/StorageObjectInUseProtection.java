package dev.kopf4j.devcluster.strategy.core.volume;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.meta.FinalizerList;
import tools.jackson.databind.node.ObjectNode;

/**
 * Adds the finalizer that keeps claims and volumes while they are in use: the admission plugin
 * StorageObjectInUseProtection ({@code plugin/pkg/admission/storage/storageobjectinuseprotection/admission.go}, v1.33).
 * Pure.
 */
final class StorageObjectInUseProtection {
    private StorageObjectInUseProtection() {}

    static void hold(ObjectNode object, String finalizer) {
        FinalizerList.add(Json.child(object, "metadata"), finalizer);
    }
}
