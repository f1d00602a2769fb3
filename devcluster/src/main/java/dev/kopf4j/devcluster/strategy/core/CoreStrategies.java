package dev.kopf4j.devcluster.strategy.core;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.meta.FinalizerList;
import dev.kopf4j.devcluster.storage.ObjectStore;
import dev.kopf4j.devcluster.strategy.DeletionStrategy;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import dev.kopf4j.devcluster.strategy.RuleTable;
import dev.kopf4j.devcluster.strategy.TableStrategy;
import dev.kopf4j.devcluster.strategy.core.service.ServiceStrategy;
import dev.kopf4j.devcluster.strategy.core.volume.PersistentVolumeClaimStrategy;
import dev.kopf4j.devcluster.strategy.core.volume.PersistentVolumeStrategy;
import dev.kopf4j.devcluster.strategy.pod.TemplateStrategy;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The strategies of the core group, and of events.k8s.io, which shows the same events. */
public final class CoreStrategies {
    private static final RuleTable TABLE = RuleTable.of(
            "core",
            RuleTable.Functions.firstOf(CoreRuleFunctions::named, PodStrategy::function, ServiceStrategy::function));

    private CoreStrategies() {}

    /**
     * The strategies of one server, by the qualified names of resources.
     *
     * @param unboundClaimsGrow whether claims may grow before they are bound
     * @param objectStore holds the services whose addresses and ports are in use
     */
    public static Map<String, ResourceStrategy> all(boolean unboundClaimsGrow, ObjectStore objectStore) {
        return Map.ofEntries(
                Map.entry("namespaces", new NamespaceStrategy()),
                Map.entry("nodes", new NodeStrategy()),
                Map.entry("persistentvolumeclaims", new PersistentVolumeClaimStrategy(unboundClaimsGrow)),
                Map.entry("persistentvolumes", new PersistentVolumeStrategy()),
                Map.entry("pods", new PodStrategy(TABLE)),
                Map.entry("podtemplates", new TemplateStrategy(TABLE, "podtemplates", "template")),
                Map.entry("replicationcontrollers", new ReplicationControllerStrategy()),
                Map.entry("services", new ServiceStrategy(TABLE, objectStore)));
    }

    /**
     * Namespaces: the label with their name (KEP-2161), the finalizer that holds them until they are empty, the phase.
     * See {@code pkg/registry/core/namespace/strategy.go}, and {@code validateFinalizerName} in
     * {@code pkg/apis/core/validation/validation.go}, v1.33.
     */
    private static final class NamespaceStrategy extends TableStrategy {
        private static final String LABEL = "kubernetes.io/metadata.name";
        private static final String FINALIZER = "kubernetes";

        NamespaceStrategy() {
            super(TABLE, "namespaces");
        }

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

    /**
     * Replication controllers: selector and labels come from the template if they are missing
     * ({@code SetDefaults_ReplicationController} in {@code pkg/apis/core/v1/defaults.go});
     * {@code ValidateReplicationController} in {@code pkg/apis/core/validation/validation.go}, v1.33.
     */
    private static final class ReplicationControllerStrategy extends TemplateStrategy {
        ReplicationControllerStrategy() {
            super(TABLE, "replicationcontrollers", "spec", "template");
        }

        @Override
        public void prepare(ObjectDraft draft) {
            ObjectNode spec = Json.child(draft.next(), "spec");
            ObjectNode metadata = Json.child(draft.next(), "metadata");
            if (spec.path("template").isObject()) {
                super.prepare(draft);
            }
            JsonNode labels = labels(spec);
            if (!labels.isEmpty() && spec.path("selector").isEmpty()) {
                spec.set("selector", labels.deepCopy());
            }
            if (!labels.isEmpty() && metadata.path("labels").isEmpty()) {
                metadata.set("labels", labels.deepCopy());
            }
        }

        private static JsonNode labels(JsonNode spec) {
            return spec.path("template").path("metadata").path("labels");
        }
    }

    /**
     * Nodes are not ready at first: the admission plugin TaintNodesByCondition
     * ({@code plugin/pkg/admission/nodetaint/admission.go}, v1.33).
     */
    private static final class NodeStrategy extends TableStrategy {
        private static final String NOT_READY = "node.kubernetes.io/not-ready";

        NodeStrategy() {
            super(TABLE, "nodes");
        }

        @Override
        public void prepare(ObjectDraft draft) {
            JsonNode spec = draft.next().path("spec");
            JsonNode range = spec.path("podCIDR");
            if (!range.asString("").isEmpty()
                    && !range.equals(spec.path("podCIDRs").path(0))) {
                // The single range wins, which is the first of all: pkg/apis/core/v1/conversion.go.
                Json.child(draft.next(), "spec").putArray("podCIDRs").add(range);
            }
            boolean tainted = Json.items(spec, "taints")
                    .anyMatch(taint -> Json.string(taint, "key").equals(NOT_READY)
                            && Json.string(taint, "effect").equals("NoSchedule"));
            if (draft.isNew() && !tainted) {
                Json.list(Json.child(draft.next(), "spec"), "taints")
                        .addObject()
                        .put("key", NOT_READY)
                        .put("effect", "NoSchedule");
            }
        }
    }
}
