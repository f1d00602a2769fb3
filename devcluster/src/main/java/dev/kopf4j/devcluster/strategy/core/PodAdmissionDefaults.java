package dev.kopf4j.devcluster.strategy.core;

import dev.kopf4j.devcluster.json.Json;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Sets what the built-in admission plugins add to new pods: ServiceAccount, Priority, DefaultTolerationSeconds
 * ({@code plugin/pkg/admission/{serviceaccount,priority,defaulttolerationseconds}/admission.go}, v1.33). Pure.
 */
final class PodAdmissionDefaults {
    private static final List<String> TOLERATED =
            List.of("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable");
    private static final int TOLERATION_SECONDS = 300;

    private PodAdmissionDefaults() {}

    static void serviceAccount(ObjectNode spec) {
        if (Json.string(spec, "serviceAccountName").isEmpty()) {
            spec.put("serviceAccountName", "default");
        }
    }

    /** An update that leaves out what admission has set keeps it, and gets the tolerations again. */
    static void keep(ObjectNode spec, JsonNode before) {
        for (String field : List.of("priority", "preemptionPolicy", "serviceAccountName", "serviceAccount")) {
            JsonNode former = before.get(field);
            boolean byAdmission =
                    !field.startsWith("serviceAccount") || "default".equals(former == null ? "" : former.asString());
            if (!spec.has(field) && former != null && byAdmission) {
                spec.set(field, former);
            }
        }
        tolerate(spec);
    }

    static void prepare(ObjectNode spec) {
        if (!spec.has("priority")) {
            spec.put("priority", 0);
        }
        if (!spec.has("preemptionPolicy")) {
            spec.put("preemptionPolicy", "PreemptLowerPriority");
        }
        tolerate(spec);
    }

    private static void tolerate(ObjectNode spec) {
        ArrayNode tolerations = Json.list(spec, "tolerations");
        for (String key : TOLERATED) {
            if (tolerations.valueStream().noneMatch(each -> tolerates(each, key))) {
                tolerations
                        .addObject()
                        .put("key", key)
                        .put("operator", "Exists")
                        .put("effect", "NoExecute")
                        .put("tolerationSeconds", TOLERATION_SECONDS);
            }
        }
    }

    private static boolean tolerates(JsonNode toleration, String key) {
        String given = Json.string(toleration, "key");
        String effect = Json.string(toleration, "effect");
        return (given.equals(key) || given.isEmpty()) && (effect.isEmpty() || effect.equals("NoExecute"));
    }
}
