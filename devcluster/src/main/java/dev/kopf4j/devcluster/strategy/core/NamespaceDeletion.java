package dev.kopf4j.devcluster.strategy.core;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.strategy.DeletionStrategy;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/**
 * Deletes namespaces after all objects in them: the finalizers in their spec keep them until then. See {@code Delete}
 * in {@code pkg/registry/core/namespace/storage/storage.go}, v1.33.
 */
final class NamespaceDeletion implements DeletionStrategy {
    static final DeletionStrategy INSTANCE = new NamespaceDeletion();

    /**
     * {@code NewLifecycle} in {@code pkg/admission/plugin/namespace/lifecycle/admission.go} of the apiserver library.
     */
    private static final Set<String> IMMORTAL = Set.of("default", "kube-system", "kube-public");

    private NamespaceDeletion() {}

    @Override
    public String refusal(String name) {
        return IMMORTAL.contains(name) ? "this namespace may not be deleted" : "";
    }

    @Override
    public void begin(ObjectNode namespace, Instant now, Optional<Long> wanted) {
        String time = now.truncatedTo(ChronoUnit.SECONDS).toString();
        Json.child(namespace, "metadata").put("deletionTimestamp", time);
        Json.child(namespace, "status").put("phase", "Terminating");
    }

    @Override
    public boolean released(ObjectNode namespace) {
        return DeletionStrategy.super.released(namespace)
                && namespace.path("spec").path("finalizers").isEmpty();
    }
}
