package dev.kopf4j.devcluster.strategy.apiextensions;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.meta.FinalizerList;
import dev.kopf4j.devcluster.strategy.DeletionStrategy;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/**
 * Deletes the objects of a custom kind before its definition: {@code Delete} in
 * {@code pkg/registry/customresourcedefinition/etcd.go} of the apiextensions-apiserver, v1.33.
 */
final class CrdDeletion implements DeletionStrategy {
    static final DeletionStrategy INSTANCE = new CrdDeletion();
    private static final String CLEANUP = "customresourcecleanup.apiextensions.k8s.io";

    private CrdDeletion() {}

    @Override
    public void begin(ObjectNode definition, Instant now, Optional<Long> wanted) {
        ObjectNode metadata = Json.child(definition, "metadata");
        metadata.put("deletionTimestamp", now.truncatedTo(ChronoUnit.SECONDS).toString());
        FinalizerList.add(metadata, CLEANUP);
    }
}
