package dev.kopf4j.devcluster.strategy.apps;

import dev.kopf4j.devcluster.json.Json;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Defaults of rolling updates: {@code pkg/apis/apps/v1/defaults.go}, v1.33. Pure. */
final class RollingUpdateDefaults {
    private RollingUpdateDefaults() {}

    /**
     * Sets the parameters of a rolling update, if the strategy is one.
     *
     * @param field the field of the spec: {@code strategy} or {@code updateStrategy}
     * @param parameters values by names
     */
    static void prepare(ObjectNode spec, String field, JsonNode parameters) {
        ObjectNode strategy = Json.child(spec, field);
        if (Json.string(strategy, "type").equals("RollingUpdate")) {
            ObjectNode rolling = Json.child(strategy, "rollingUpdate");
            for (Map.Entry<String, JsonNode> parameter : parameters.properties()) {
                if (!rolling.has(parameter.getKey())) {
                    rolling.set(parameter.getKey(), parameter.getValue());
                }
            }
        }
    }
}
