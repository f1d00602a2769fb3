package dev.kopf4j.devcluster.strategy.pod;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import tools.jackson.databind.JsonNode;

/** Variables of containers: {@code ValidateEnv} in {@code pkg/apis/core/validation/validation.go}, v1.33. Pure. */
final class EnvValidation {
    private EnvValidation() {}

    static void check(JsonNode variables, String path, FieldChecks checks) {
        int index = 0;
        for (JsonNode variable : variables) {
            String where = path + "[" + index++ + "]";
            String name = Json.string(variable, "name");
            checks.required(variable, "name", where);
            if (name.contains("=")) {
                checks.problem("a valid environment variable name has no '='", where + ".name", name);
            }
            source(variable, where + ".valueFrom", checks);
        }
    }

    private static void source(JsonNode variable, String path, FieldChecks checks) {
        JsonNode source = variable.path("valueFrom");
        if (source.isObject() && source.isEmpty()) {
            checks.problem("must specify one of the sources", path, "");
        } else if (source.size() > 1) {
            checks.problem("may not have more than one field specified at a time", path, "");
        }
        if (!Json.string(variable, "value").isEmpty() && !source.isEmpty()) {
            checks.problem("may not be specified when `value` is not empty", path, "");
        }
    }
}
