package dev.kopf4j.devcluster.kind.builtin;

import dev.kopf4j.devcluster.kind.KindRules;
import java.util.Map;

/** All steps by the names that the data of resources use. */
public final class BuiltinSteps {
    private BuiltinSteps() {}

    /**
     * The steps of one server.
     *
     * @param unboundGrow whether claims may grow before they are bound
     */
    public static Map<String, KindRules> all(boolean unboundGrow) {
        return Map.ofEntries(
                Map.entry("secret", new SecretStep()),
                Map.entry("configMap", new ConfigMapStep()),
                Map.entry("namespace", new NamespaceStep()),
                Map.entry("claim", VolumeSteps.claim(unboundGrow)),
                Map.entry("volume", VolumeSteps.volume()),
                Map.entry("pod", new PodStep()),
                Map.entry("service", new ServiceStep()),
                Map.entry("workload", new WorkloadStep()),
                Map.entry("job", new Jobs()),
                Map.entry("cronJob", new CronJobs()),
                Map.entry("lease", SimpleSteps.lease()),
                Map.entry("event", new EventStep()),
                Map.entry("networkPolicy", NetworkSteps.networkPolicy()),
                Map.entry("binding", AccessSteps.binding()),
                Map.entry("role", AccessSteps.role()),
                Map.entry("autoscaler", PolicySteps.autoscaler()),
                Map.entry("storageClass", VolumeSteps.storageClass()),
                Map.entry("ingress", NetworkSteps.ingress()),
                Map.entry("endpointSlice", NetworkSteps.slice()),
                Map.entry("budget", PolicySteps.budget()),
                Map.entry("priorityClass", PolicySteps.priorityClass()),
                Map.entry("limitRange", PolicySteps.limitRange()),
                Map.entry("node", SimpleSteps.node()),
                Map.entry("revision", SimpleSteps.revision()),
                Map.entry("podTemplate", SimpleSteps.podTemplate()),
                Map.entry("replicationController", SimpleSteps.replicationController()),
                Map.entry("webhooks", new WebhookStep()),
                Map.entry("crd", new DefinitionStep()));
    }
}
