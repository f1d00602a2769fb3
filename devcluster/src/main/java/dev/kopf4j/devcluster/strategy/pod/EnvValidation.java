package dev.kopf4j.devcluster.strategy.pod;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import java.util.List;
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
        if (!source.isObject()) {
            return;
        }
        if (source.has("fieldRef")) {
            DownwardFieldValidation.check(
                    source.path("fieldRef"), DownwardFieldValidation.OF_VARIABLES, path + ".fieldRef", checks);
        }
        if (source.has("resourceFieldRef")) {
            checks.required(source.path("resourceFieldRef"), "resource", path + ".resourceFieldRef");
        }
        for (String keyed : List.of("configMapKeyRef", "secretKeyRef")) {
            if (source.has(keyed)) {
                checks.required(source.path(keyed), "key", path + "." + keyed);
                key(Json.string(source, keyed, "key"), path + "." + keyed + ".key", checks);
            }
        }
        if (source.isEmpty()) {
            checks.problem(
                    "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`",
                    path,
                    "");
        } else if (!Json.string(variable, "value").isEmpty()) {
            checks.problem("may not be specified when `value` is not empty", path, "");
        } else if (source.size() > 1) {
            checks.problem("may not have more than one field specified at a time", path, "");
        }
    }

    private static void key(String key, String path, FieldChecks checks) {
        if (!key.isEmpty() && !key.matches("[-._a-zA-Z0-9]{1,253}")) {
            checks.problem("a valid config key must consist of alphanumeric characters, '-', '_' or '.'", path, key);
        }
    }
}
