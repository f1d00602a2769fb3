package dev.kopf4j.devcluster.strategy.pod;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.selector.LabelSyntax;
import dev.kopf4j.devcluster.status.FieldError;
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
            String key = Json.string(toleration, "key");
            if (!key.isEmpty()) {
                checks.problem(LabelSyntax.key(key), where + ".key", key);
            }
            String given = Json.string(toleration, "effect");
            if (toleration.has("tolerationSeconds") && !given.equals("NoExecute")) {
                String rule = "effect must be 'NoExecute' when `tolerationSeconds` is set";
                checks.add(FieldError.invalidString(where + ".effect", given, rule));
            }
            checks.oneOf(toleration, "operator", where, List.of("Equal", "Exists"));
            checks.oneOf(toleration, "effect", where, EFFECTS);
            String operator = Json.string(toleration, "operator");
            boolean exists = operator.equals("Exists");
            if (operator.isEmpty() || operator.equals("Equal")) {
                String value = Json.string(toleration, "value");
                checks.problem(LabelSyntax.value(value), where + ".operator", value);
            }
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
