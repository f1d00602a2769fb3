package dev.kopf4j.devcluster.admission.plugin;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.storage.ObjectStore;
import dev.kopf4j.devcluster.storage.StoredObject;
import dev.kopf4j.devcluster.value.Quantity;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Lets only those claims grow whose storage class allows it: the admission plugin PersistentVolumeClaimResize
 * ({@code plugin/pkg/admission/storage/persistentvolume/resize/admission.go}, v1.33). Thread-safe.
 */
final class ClaimResize {
    private static final String CLASSES = "storage.k8s.io/storageclasses";
    private static final String LEGACY_CLASS = "volume.beta.kubernetes.io/storage-class";
    private final ObjectStore objectStore;
    private final boolean anyhow;

    ClaimResize(ObjectStore objectStore, boolean anyhow) {
        this.objectStore = objectStore;
        this.anyhow = anyhow;
    }

    void validate(ObjectNode before, ObjectNode claim) throws BuiltinPlugins.Refused {
        String former = size(before);
        String wanted = size(claim);
        boolean grows =
                !wanted.isEmpty() && (former.isEmpty() || Quantity.value(wanted).compareTo(Quantity.value(former)) > 0);
        if (anyhow || !grows) {
            return;
        }
        if (!Json.string(before, "status", "phase").equals("Bound")) {
            throw new BuiltinPlugins.Refused("Only bound persistent volume claims can be expanded");
        }
        String name = className(claim);
        StoredObject storageClass = objectStore.bucket(CLASSES).get("", name);
        boolean allowed = storageClass != null
                && name.equals(className(before))
                && storageClass.tree().path("allowVolumeExpansion").booleanValue(false);
        if (!allowed) {
            throw new BuiltinPlugins.Refused("only dynamically provisioned pvc can be resized and the storageclass that"
                    + " provisions the pvc must support resize");
        }
    }

    private static String size(JsonNode claim) {
        return Json.string(claim, "spec", "resources", "requests", "storage");
    }

    private static String className(JsonNode claim) {
        String legacy = Json.string(claim.path("metadata").path("annotations"), LEGACY_CLASS);
        return legacy.isEmpty() ? Json.string(claim, "spec", "storageClassName") : legacy;
    }
}
