package dev.kopf4j.devcluster.strategy.pod;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Tolerations: {@code ValidateTolerations} in {@code pkg/apis/core/validation/validation.go}, v1.33. Pure. */
final class TolerationValidation {
    private static final List<String> EFFECTS = List.of("NoSchedule", "PreferNoSchedule", "NoExecute");

    private TolerationValidation() {}

    static void check(JsonNode tolerations, String path, FieldChecks checks) {
        int index = 0;
        for (JsonNode toleration : tolerations) {
            String where = path + "[" + index++ + "]";
            checks.oneOf(toleration, "operator", where, List.of("Equal", "Exists"));
            checks.oneOf(toleration, "effect", where, EFFECTS);
            String operator = Json.string(toleration, "operator");
            boolean exists = operator.equals("Exists");
            if (Json.string(toleration, "key").isEmpty() && !exists) {
                checks.problem(
                        "operator must be Exists when `key` is empty, which means \"match all values and all keys\"",
                        where + ".operator",
                        operator);
            }
            if (exists && !Json.string(toleration, "value").isEmpty()) {
                checks.problem("value must be empty when `operator` is 'Exists'", where + ".operator", "Exists");
            }
        }
    }
}
