package dev.kopf4j.devcluster.strategy.core;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Limit ranges: the limits of containers have defaults that depend on each other, {@code SetDefaults_LimitRangeItem} in
 * {@code pkg/apis/core/v1/defaults.go}, v1.33; {@link LimitRangeValidation} checks them.
 */
final class LimitRangeStrategy implements ResourceStrategy {
    @Override
    public void prepare(ObjectDraft draft) {
        for (JsonNode limit : draft.next().path("spec").path("limits")) {
            if (Json.string(limit, "type").equals("Container")) {
                ObjectNode item = (ObjectNode) limit;
                fill(item, "default", limit.path("max"));
                fill(item, "defaultRequest", limit.path("default"));
                fill(item, "defaultRequest", limit.path("min"));
            }
        }
    }

    @Override
    public void validate(ObjectDraft draft, FieldChecks checks) {
        LimitRangeValidation.check(draft.next().path("spec").path("limits"), checks);
    }

    private static void fill(ObjectNode item, String field, JsonNode from) {
        for (Map.Entry<String, JsonNode> amount : from.properties()) {
            ObjectNode target = Json.child(item, field);
            if (!target.has(amount.getKey())) {
                target.set(amount.getKey(), amount.getValue());
            }
        }
    }
}
