package dev.kopf4j.devcluster.strategy.apiextensions;

import dev.kopf4j.devcluster.strategy.FieldChecks;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Validates custom resource definitions: {@code ValidateCustomResourceDefinition} in
 * {@code pkg/apis/apiextensions/validation/validation.go} of apiextensions-apiserver, v1.33. Pure.
 */
final class CrdValidation {
    private CrdValidation() {}

    static void check(JsonNode definition, @Nullable ObjectNode before, FieldChecks checks) {
        JsonNode spec = definition.path("spec");
        JsonNode former = before == null ? MissingNode.getInstance() : before.path("spec");
        CrdNameValidation names = new CrdNameValidation(definition, checks);
        names.names();
        if (before == null) {
            CrdApprovalValidation.check(definition, checks);
        }
        names.scope();
        CrdConversionValidation.check(spec.path("conversion"), before, checks);
        new CrdVersionValidation(spec.path("versions"), former.path("versions"), checks).check();
        StoredVersionValidation.check(definition, checks);
        if (before != null) {
            CrdUpdateValidation.check(spec, before, checks);
        }
    }
}
