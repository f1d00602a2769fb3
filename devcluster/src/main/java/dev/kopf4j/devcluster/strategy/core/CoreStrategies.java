package dev.kopf4j.devcluster.strategy.core;

import dev.kopf4j.devcluster.storage.ObjectStore;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.LabelSelectorValidation;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import dev.kopf4j.devcluster.strategy.core.service.ServiceStrategy;
import dev.kopf4j.devcluster.strategy.core.volume.PersistentVolumeClaimStrategy;
import dev.kopf4j.devcluster.strategy.core.volume.PersistentVolumeStrategy;
import dev.kopf4j.devcluster.strategy.pod.PodSpecDefaults;
import dev.kopf4j.devcluster.strategy.pod.PodSpecValidation;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** The strategies of the core group, and of events.k8s.io, which shows the same events. */
public final class CoreStrategies {
    private CoreStrategies() {}

    /**
     * The strategies of one server, by the qualified names of resources.
     *
     * @param unboundClaimsGrow whether claims may grow before they are bound
     * @param objectStore holds the services whose addresses and ports are in use
     */
    public static Map<String, ResourceStrategy> all(boolean unboundClaimsGrow, ObjectStore objectStore) {
        return Map.ofEntries(
                Map.entry("configmaps", new ConfigStrategies.ConfigMapStrategy()),
                Map.entry("endpoints", new EndpointsStrategy()),
                Map.entry("events", new EventStrategies.EventStrategy()),
                Map.entry("events.events.k8s.io", new EventStrategies.EventsV1Strategy()),
                Map.entry("limitranges", new LimitRangeStrategy()),
                Map.entry("namespaces", new NamespaceStrategy()),
                Map.entry("nodes", new NodeStrategy()),
                Map.entry("persistentvolumeclaims", new PersistentVolumeClaimStrategy(unboundClaimsGrow)),
                Map.entry("persistentvolumes", new PersistentVolumeStrategy()),
                Map.entry("pods", new PodStrategy()),
                Map.entry("podtemplates", new PodTemplateStrategy()),
                Map.entry("replicationcontrollers", new ReplicationControllerStrategy()),
                Map.entry("resourcequotas", new ResourceQuotaStrategy()),
                Map.entry("secrets", new ConfigStrategies.SecretStrategy()),
                Map.entry("services", new ServiceStrategy(objectStore)));
    }

    /** Pod templates: {@code ValidatePodTemplate} in {@code pkg/apis/core/validation/validation.go}, v1.33. */
    private static final class PodTemplateStrategy implements ResourceStrategy {
        @Override
        public void prepare(ObjectDraft draft) {
            PodSpecDefaults.prepareTemplate(draft.next(), "template");
        }

        @Override
        public void validate(ObjectDraft draft, FieldChecks checks) {
            JsonNode labels = draft.next().path("template").path("metadata").path("labels");
            LabelSelectorValidation.labels(labels, "template.labels", checks);
            PodSpecValidation.check(draft.next().path("template").path("spec"), "template.spec", checks);
        }
    }
}
