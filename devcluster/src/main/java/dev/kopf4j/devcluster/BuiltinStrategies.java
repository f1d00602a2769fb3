package dev.kopf4j.devcluster;

import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import dev.kopf4j.devcluster.strategy.admissionregistration.WebhookConfigurationStrategy;
import dev.kopf4j.devcluster.strategy.apiextensions.CrdStrategy;
import dev.kopf4j.devcluster.strategy.apps.WorkloadStrategy;
import dev.kopf4j.devcluster.strategy.batch.CronJobStrategy;
import dev.kopf4j.devcluster.strategy.batch.JobStrategy;
import dev.kopf4j.devcluster.strategy.core.ConfigMapStrategy;
import dev.kopf4j.devcluster.strategy.core.EventStrategy;
import dev.kopf4j.devcluster.strategy.core.NamespaceStrategy;
import dev.kopf4j.devcluster.strategy.core.PodStrategy;
import dev.kopf4j.devcluster.strategy.core.SecretStrategy;
import dev.kopf4j.devcluster.strategy.core.ServiceStrategy;
import dev.kopf4j.devcluster.strategy.core.SmallStrategies;
import dev.kopf4j.devcluster.strategy.core.VolumeStrategies;
import dev.kopf4j.devcluster.strategy.networking.NetworkingStrategies;
import dev.kopf4j.devcluster.strategy.policy.PolicyStrategies;
import dev.kopf4j.devcluster.strategy.rbac.RbacStrategies;
import java.util.Map;

/** All steps by the names that the data of resources use. */
final class BuiltinStrategies {
    private BuiltinStrategies() {}

    /**
     * The steps of one server.
     *
     * @param unboundGrow whether claims may grow before they are bound
     */
    static Map<String, ResourceStrategy> all(boolean unboundGrow) {
        return Map.ofEntries(
                Map.entry("secret", new SecretStrategy()),
                Map.entry("configMap", new ConfigMapStrategy()),
                Map.entry("namespace", new NamespaceStrategy()),
                Map.entry("claim", VolumeStrategies.claim(unboundGrow)),
                Map.entry("volume", VolumeStrategies.volume()),
                Map.entry("pod", new PodStrategy()),
                Map.entry("service", new ServiceStrategy()),
                Map.entry("workload", new WorkloadStrategy()),
                Map.entry("job", new JobStrategy()),
                Map.entry("cronJob", new CronJobStrategy()),
                Map.entry("lease", SmallStrategies.lease()),
                Map.entry("event", new EventStrategy()),
                Map.entry("networkPolicy", NetworkingStrategies.networkPolicy()),
                Map.entry("binding", RbacStrategies.binding()),
                Map.entry("role", RbacStrategies.role()),
                Map.entry("autoscaler", PolicyStrategies.autoscaler()),
                Map.entry("storageClass", VolumeStrategies.storageClass()),
                Map.entry("ingress", NetworkingStrategies.ingress()),
                Map.entry("endpointSlice", NetworkingStrategies.slice()),
                Map.entry("budget", PolicyStrategies.budget()),
                Map.entry("priorityClass", PolicyStrategies.priorityClass()),
                Map.entry("limitRange", PolicyStrategies.limitRange()),
                Map.entry("node", SmallStrategies.node()),
                Map.entry("revision", SmallStrategies.revision()),
                Map.entry("podTemplate", SmallStrategies.podTemplate()),
                Map.entry("replicationController", SmallStrategies.replicationController()),
                Map.entry("webhooks", new WebhookConfigurationStrategy()),
                Map.entry("crd", new CrdStrategy()));
    }
}
