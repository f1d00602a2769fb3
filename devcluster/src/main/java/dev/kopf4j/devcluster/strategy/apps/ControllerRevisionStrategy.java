package dev.kopf4j.devcluster.strategy.apps;

import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Revisions do not change: {@code ValidateControllerRevisionCreate} and {@code ValidateControllerRevisionUpdate} in
 * {@code pkg/apis/apps/validation/validation.go}, v1.33.
 */
final class ControllerRevisionStrategy implements ResourceStrategy {
    @Override
    public void validate(ObjectDraft draft, FieldChecks checks) {
        JsonNode data = draft.next().path("data");
        if (data.isMissingNode() || data.isNull()) {
            checks.add(FieldError.required("data", "data is mandatory"));
        }
        JsonNode revision = draft.next().path("revision");
        if (revision.longValue(0) < 0) {
            checks.add(FieldError.invalid("revision", revision.asString(), "must be greater than or equal to 0"));
        }
        ObjectNode before = draft.before();
        if (before != null) {
            checks.immutable(data, before.path("data"), "data");
        }
    }
}
