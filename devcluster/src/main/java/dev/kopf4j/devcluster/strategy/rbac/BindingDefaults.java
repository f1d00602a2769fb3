package dev.kopf4j.devcluster.strategy.rbac;

import dev.kopf4j.devcluster.json.Json;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Sets the API group of users and groups that bindings name: {@code SetDefaults_Subject} in
 * {@code pkg/apis/rbac/v1/defaults.go}, v1.33.
 */
final class BindingDefaults {
    static final String GROUP = "rbac.authorization.k8s.io";

    private BindingDefaults() {}

    static void prepare(ObjectNode binding) {
        for (JsonNode subject : binding.path("subjects")) {
            boolean account = Json.string(subject, "kind").equals("ServiceAccount");
            if (!account && Json.string(subject, "apiGroup").isEmpty()) {
                ((ObjectNode) subject).put("apiGroup", GROUP);
            }
        }
    }
}
