package dev.kopf4j.devcluster.strategy.autoscaling;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * How fast an autoscaler scales: defaults by {@code pkg/apis/autoscaling/v2/defaults.go}, checks by
 * {@code validateScalingRules} in {@code pkg/apis/autoscaling/validation/validation.go}, v1.33. Pure.
 */
final class ScalingBehavior {
    private static final int LONGEST_WINDOW = 3600;
    private static final int LONGEST_PERIOD = 1800;
    private static final JsonNode UP = Json.parse("""
            {"stabilizationWindowSeconds": 0, "selectPolicy": "Max", "policies": [
             {"type": "Pods", "value": 4, "periodSeconds": 15}, {"type": "Percent", "value": 100, "periodSeconds": 15}]}""");
    private static final JsonNode DOWN = Json.parse("""
            {"selectPolicy": "Max", "policies": [{"type": "Percent", "value": 100, "periodSeconds": 15}]}""");

    private ScalingBehavior() {}

    /** Fills the rules of both directions, if there is one. */
    static void prepare(ObjectNode spec) {
        if (spec.path("behavior") instanceof ObjectNode behavior) {
            fill(Json.child(behavior, "scaleUp"), UP);
            fill(Json.child(behavior, "scaleDown"), DOWN);
        }
    }

    private static void fill(ObjectNode rules, JsonNode usual) {
        for (Map.Entry<String, JsonNode> field : usual.properties()) {
            if (!rules.has(field.getKey())) {
                rules.set(field.getKey(), field.getValue().deepCopy());
            }
        }
    }

    static void check(JsonNode behavior, FieldChecks checks) {
        for (String direction : List.of("scaleUp", "scaleDown")) {
            if (behavior.path(direction).isObject()) {
                rules(behavior.path(direction), "spec.behavior." + direction, checks);
            }
        }
    }

    private static void rules(JsonNode rules, String path, FieldChecks checks) {
        between(rules, "stabilizationWindowSeconds", path, 0, LONGEST_WINDOW, checks);
        checks.oneOf(rules, "selectPolicy", path, List.of("Disabled", "Max", "Min"));
        if (rules.path("policies").isEmpty()) {
            checks.add(FieldError.required(path + ".policies", "must specify at least one Policy"));
        }
        int index = 0;
        for (JsonNode policy : rules.path("policies")) {
            String where = path + ".policies[" + index++ + "]";
            String type = Json.string(policy, "type");
            if (!List.of("Percent", "Pods").contains(type)) {
                checks.add(
                        FieldError.notSupported(where + ".type", FieldError.quote(type), List.of("Percent", "Pods")));
            }
            between(policy, "value", where, 1, Integer.MAX_VALUE, checks);
            between(policy, "periodSeconds", where, 1, LONGEST_PERIOD, checks);
        }
    }

    private static void between(JsonNode parent, String field, String path, long least, long most, FieldChecks checks) {
        long value = parent.path(field).longValue(0);
        if (value < least) {
            String rule = least == 0 ? "must be greater than or equal to zero" : "must be greater than zero";
            checks.add(FieldError.invalid(path + "." + field, String.valueOf(value), rule));
        } else if (value > most) {
            checks.add(FieldError.invalid(
                    path + "." + field, String.valueOf(value), "must be less than or equal to " + most));
        }
    }
}
