package dev.kopf4j.devcluster.strategy;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * Validates the fields of custom objects that their scale subresource shows:
 * {@code pkg/registry/customresource/validator.go} of the apiextensions-apiserver, v1.33.
 */
final class ScaleFieldValidation {
    private ScaleFieldValidation() {}

    /** What is wrong with them; nothing if there is no such subresource. */
    static List<FieldError> check(JsonNode scale, JsonNode object) {
        List<FieldError> causes = new ArrayList<>();
        for (String field : List.of("specReplicasPath", "statusReplicasPath")) {
            replicas(Json.string(scale, field), object, causes);
        }
        String path = Json.string(scale, "labelSelectorPath");
        JsonNode selector = at(object, path);
        if (!selector.isMissingNode() && !selector.isString()) {
            causes.add(FieldError.invalidString(path, "", path + " accessor error: it is no string"));
        }
        return causes;
    }

    private static void replicas(String path, JsonNode object, List<FieldError> causes) {
        JsonNode replicas = at(object, path);
        if (replicas.isMissingNode()) {
            return;
        }
        if (!replicas.isIntegralNumber()) {
            causes.add(FieldError.invalid(path, "0", path + " accessor error: it is no integer"));
        } else if (replicas.longValue() < 0) {
            causes.add(FieldError.invalid(path, Json.text(replicas), "should be a non-negative integer"));
        } else if (replicas.longValue() > Integer.MAX_VALUE) {
            causes.add(FieldError.invalid(
                    path, Json.text(replicas), "should be less than or equal to " + Integer.MAX_VALUE));
        }
    }

    private static JsonNode at(JsonNode object, String path) {
        return path.isEmpty()
                ? Json.missing()
                : Json.at(object, path.substring(1).split("\\.", -1));
    }
}
