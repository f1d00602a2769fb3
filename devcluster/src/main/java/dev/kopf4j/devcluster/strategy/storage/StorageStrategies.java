package dev.kopf4j.devcluster.strategy.storage;

import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import java.util.Map;

/** The strategies of the group storage.k8s.io. */
public final class StorageStrategies {
    private StorageStrategies() {}

    /** The strategies by the qualified names of resources. */
    public static Map<String, ResourceStrategy> all() {
        return Map.of(
                "storageclasses.storage.k8s.io",
                new StorageClassStrategy(),
                "csidrivers.storage.k8s.io",
                new CsiDriverStrategy(),
                "csinodes.storage.k8s.io",
                new CsiNodeStrategy(),
                "csistoragecapacities.storage.k8s.io",
                new CsiStorageCapacityStrategy(),
                "volumeattachments.storage.k8s.io",
                new VolumeAttachmentStrategy());
    }
}
