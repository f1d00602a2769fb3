package dev.kopf4j.devcluster.kind.builtin;

import dev.kopf4j.devcluster.kind.KindRules;
import java.util.Map;

/** All steps by the names that the data of resources use. */
public final class BuiltinSteps {
    private BuiltinSteps() {}

    /** The steps of one server. */
    public static Map<String, KindRules> all() {
        return Map.ofEntries(
                Map.entry("secret", new SecretStep()),
                Map.entry("configMap", new ConfigMapStep()),
                Map.entry("namespace", new NamespaceStep()),
                Map.entry("claim", SimpleSteps.claim()),
                Map.entry("volume", SimpleSteps.volume()),
                Map.entry("pod", new PodStep()),
                Map.entry("service", new ServiceStep()),
                Map.entry("workload", new WorkloadStep()),
                Map.entry("job", SimpleSteps.job()),
                Map.entry("cronJob", SimpleSteps.cronJob()),
                Map.entry("lease", SimpleSteps.lease()),
                Map.entry("event", SimpleSteps.event()),
                Map.entry("networkPolicy", SimpleSteps.networkPolicy()),
                Map.entry("binding", SimpleSteps.binding()),
                Map.entry("role", SimpleSteps.role()),
                Map.entry("autoscaler", SimpleSteps.autoscaler()),
                Map.entry("storageClass", SimpleSteps.storageClass()),
                Map.entry("ingress", SimpleSteps.ingress()),
                Map.entry("webhooks", new WebhookStep()),
                Map.entry("crd", new DefinitionStep()));
    }
}
