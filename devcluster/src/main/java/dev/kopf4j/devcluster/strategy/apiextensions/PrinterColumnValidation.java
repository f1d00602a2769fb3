package dev.kopf4j.devcluster.strategy.apiextensions;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * Validates additional printer columns: {@code ValidateCustomResourceColumnDefinition} in
 * {@code pkg/apis/apiextensions/validation/validation.go} of apiextensions-apiserver, v1.33. Pure.
 */
final class PrinterColumnValidation {
    private static final List<String> TYPES = List.of("boolean", "date", "integer", "number", "string");

    private PrinterColumnValidation() {}

    /**
     * Reports errors.
     *
     * @param path the path of the object that has the columns
     */
    static void check(JsonNode version, String path, FieldChecks checks) {
        int index = 0;
        for (JsonNode column : version.path("additionalPrinterColumns")) {
            String where = path + ".additionalPrinterColumns[" + index++ + "]";
            checks.required(column, "name", where);
            String type = Json.string(column, "type");
            if (!TYPES.contains(type)) {
                checks.add(
                        FieldError.invalidString(where + ".type", type, "must be one of " + String.join(",", TYPES)));
            }
            String jsonPath = Json.string(column, "jsonPath");
            if (jsonPath.isEmpty()) {
                checks.add(FieldError.required(where + ".JSONPath", ""));
            } else if (!jsonPath.startsWith(".")) {
                checks.add(FieldError.invalidString(
                        where + ".JSONPath", jsonPath, "must be a simple json path starting with ."));
            }
        }
    }
}
