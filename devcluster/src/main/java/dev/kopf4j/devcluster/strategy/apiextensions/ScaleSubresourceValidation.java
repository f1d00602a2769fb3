package dev.kopf4j.devcluster.strategy.apiextensions;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import tools.jackson.databind.JsonNode;

/**
 * Validates the paths of a scale subresource: {@code ValidateCustomResourceDefinitionSubresources} in
 * {@code pkg/apis/apiextensions/validation/validation.go} of apiextensions-apiserver, v1.33. Pure.
 */
final class ScaleSubresourceValidation {
    private ScaleSubresourceValidation() {}

    static void check(JsonNode scale, String path, FieldChecks checks) {
        if (!scale.isObject()) {
            return;
        }
        below(scale, "specReplicasPath", path, ".spec.", checks);
        below(scale, "statusReplicasPath", path, ".status.", checks);
        String selector = Json.string(scale, "labelSelectorPath");
        if (!selector.isEmpty() && !selector.startsWith(".spec.") && !selector.startsWith(".status.")) {
            checks.add(FieldError.invalidString(
                    path + ".labelSelectorPath", selector, "should be a json path under either .status or .spec"));
        }
    }

    private static void below(JsonNode scale, String field, String path, String root, FieldChecks checks) {
        String value = Json.string(scale, field);
        if (value.isEmpty()) {
            checks.add(FieldError.required(path + "." + field, ""));
        } else if (!value.startsWith(root) || value.contains("[")) {
            checks.add(FieldError.invalidString(path + "." + field, value, "should be a json path under " + root));
        }
    }
}
