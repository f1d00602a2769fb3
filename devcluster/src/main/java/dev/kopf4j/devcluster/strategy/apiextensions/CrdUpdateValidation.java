package dev.kopf4j.devcluster.strategy.apiextensions;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.json.JsonEquality;
import dev.kopf4j.devcluster.meta.StatusConditions;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Validates that the fields that identify a kind do not change: {@code ValidateCustomResourceDefinitionUpdate} in
 * {@code pkg/apis/apiextensions/validation/validation.go} of apiextensions-apiserver, v1.33. Pure.
 */
final class CrdUpdateValidation {
    private CrdUpdateValidation() {}

    static void check(JsonNode spec, ObjectNode before, FieldChecks checks) {
        JsonNode former = before.path("spec");
        boolean established = StatusConditions.isTrue(before.path("status"), "Established");
        for (String field : established ? List.of("group", "scope") : List.of("group")) {
            fixed(former.path(field), spec.path(field), "spec." + field, checks);
        }
        fixed(former.path("names").path("plural"), spec.path("names").path("plural"), "spec.names.plural", checks);
        if (established) {
            fixed(former.path("names").path("kind"), spec.path("names").path("kind"), "spec.names.kind", checks);
        }
    }

    private static void fixed(JsonNode before, JsonNode now, String path, FieldChecks checks) {
        if (!JsonEquality.same(before, now)) {
            checks.errors().removeIf(fieldError -> fieldError.field().equals("metadata.name"));
            checks.add(FieldError.invalid(path, Json.text(now), "field is immutable"));
        }
    }
}
