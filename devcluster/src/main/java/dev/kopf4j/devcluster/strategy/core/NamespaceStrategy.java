package dev.kopf4j.devcluster.strategy.core;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.meta.FinalizerList;
import dev.kopf4j.devcluster.strategy.DeletionStrategy;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Namespaces: the label with their name (KEP-2161), the finalizer that holds them until they are empty, the phase. See
 * {@code pkg/registry/core/namespace/strategy.go}, and {@code validateFinalizerName} in
 * {@code pkg/apis/core/validation/validation.go}, v1.33.
 */
final class NamespaceStrategy implements ResourceStrategy {
    private static final String LABEL = "kubernetes.io/metadata.name";
    private static final String FINALIZER = "kubernetes";

    @Override
    public void prepare(ObjectDraft draft) {
        ObjectNode metadata = Json.child(draft.next(), "metadata");
        Json.child(metadata, "labels").put(LABEL, Json.string(metadata, "name"));
        if (draft.isNew()) {
            Json.child(draft.next(), "status").put("phase", "Active");
            FinalizerList.add(Json.child(draft.next(), "spec"), FINALIZER);
        }
    }

    /** The finalizers of the spec are written through the endpoint {@code finalize} only. */
    @Override
    public Set<String> resetFields(String subresource) {
        return subresource.equals("finalize") ? Set.of("status") : Set.of("status", "spec");
    }

    @Override
    public DeletionStrategy deletion() {
        return NamespaceDeletion.INSTANCE;
    }

    @Override
    public void validate(ObjectDraft draft, FieldChecks checks) {
        for (JsonNode finalizer : draft.next().path("spec").path("finalizers")) {
            String name = finalizer.stringValue();
            if (!name.contains("/") && !name.equals(FINALIZER)) {
                checks.problem(
                        "name is neither a standard finalizer name nor is it fully qualified", "spec.finalizers", name);
            }
        }
    }

    /**
     * Deletes namespaces after all objects in them: the finalizers in their spec keep them until then. See
     * {@code Delete} in {@code pkg/registry/core/namespace/storage/storage.go}, v1.33.
     */
    private static final class NamespaceDeletion implements DeletionStrategy {
        static final DeletionStrategy INSTANCE = new NamespaceDeletion();

        /**
         * {@code NewLifecycle} in {@code pkg/admission/plugin/namespace/lifecycle/admission.go} of the apiserver
         * library.
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
}
