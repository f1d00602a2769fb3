package dev.kopf4j.devcluster.strategy.apiextensions;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * Validates the fields that selectors may name (KEP-4358): {@code ValidateCustomResourceSelectableFields} in
 * {@code pkg/apis/apiextensions/validation/validation.go} of apiextensions-apiserver, v1.33. Pure.
 */
final class SelectableFieldValidation {
    private static final int MAX_FIELDS = 8;

    private SelectableFieldValidation() {}

    /**
     * Reports errors.
     *
     * @param path the path of the object that has the fields
     */
    static void check(JsonNode version, String path, FieldChecks checks) {
        JsonNode fields = version.path("selectableFields");
        if (fields.size() > MAX_FIELDS) {
            checks.add(new FieldError(
                    FieldError.Type.TOO_MANY,
                    "Too many: " + fields.size() + ": must have at most " + MAX_FIELDS + " items",
                    path + ".selectableFields"));
        }
        Set<String> paths = new HashSet<>();
        int index = 0;
        for (JsonNode field : fields) {
            String where = path + ".selectableFields[" + index++ + "].jsonPath";
            String jsonPath = Json.string(field, "jsonPath");
            if (jsonPath.isEmpty()) {
                checks.add(FieldError.required(where, ""));
            } else if (!paths.add(jsonPath)) {
                checks.add(FieldError.duplicate(where, FieldError.quote(jsonPath)));
            } else {
                target(version.path("schema").path("openAPIV3Schema"), jsonPath, where, checks);
            }
        }
    }

    private static void target(JsonNode schema, String jsonPath, String where, FieldChecks checks) {
        JsonNode found = schema;
        for (String name : jsonPath.substring(Math.min(1, jsonPath.length())).split("\\.", -1)) {
            found = found.path("properties").path(name);
        }
        boolean metadata = jsonPath.startsWith(".metadata");
        boolean plain = List.of("string", "boolean", "integer").contains(Json.string(found, "type"));
        if (!jsonPath.startsWith(".") || metadata || !plain) {
            checks.add(FieldError.invalidString(
                    where, jsonPath, "must point to a field of type string, boolean or integer outside of metadata"));
        }
    }
}
