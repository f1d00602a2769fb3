package dev.kopf4j.devcluster.strategy.node;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.LabelSelectorValidation;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import dev.kopf4j.devcluster.value.DnsNames;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The strategies of the group node.k8s.io. */
public final class NodeStrategies {
    private NodeStrategies() {}

    /** The strategies by the qualified names of resources. */
    public static Map<String, ResourceStrategy> all() {
        return Map.of("runtimeclasses.node.k8s.io", new RuntimeClassStrategy());
    }

    /**
     * Classes of runtimes: {@code ValidateRuntimeClass} and {@code ValidateRuntimeClassUpdate} in
     * {@code pkg/apis/node/validation/validation.go}, v1.33.
     */
    private static final class RuntimeClassStrategy implements ResourceStrategy {
        @Override
        public void validate(ObjectDraft draft, FieldChecks checks) {
            String handler = Json.string(draft.next(), "handler");
            checks.problem(DnsNames.label(handler), "handler", handler);
            JsonNode labels = draft.next().path("scheduling").path("nodeSelector");
            LabelSelectorValidation.labels(labels, "scheduling.nodeSelector", checks);
            ObjectNode before = draft.before();
            if (before != null) {
                checks.immutable(draft.next().path("handler"), before.path("handler"), "handler");
            }
        }
    }
}
