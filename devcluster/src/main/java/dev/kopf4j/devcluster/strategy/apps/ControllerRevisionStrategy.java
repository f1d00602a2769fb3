package dev.kopf4j.devcluster.strategy.apps;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.json.JsonEquality;
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
    /** The data of a patched revision is never equal to what is stored, because it was decoded in another way. */
    @Override
    public void validatePatched(ObjectDraft draft, FieldChecks checks) {
        ObjectNode before = draft.before();
        if (before != null && JsonEquality.same(draft.next().path("data"), before.path("data"))) {
            checks.add(FieldError.invalid("data", Json.text(draft.next().path("data")), "field is immutable"));
        }
    }

    @Override
    public void validate(ObjectDraft draft, FieldChecks checks) {
        JsonNode data = draft.next().path("data");
        JsonNode revision = draft.next().path("revision");
        if (revision.longValue(0) < 0) {
            checks.add(FieldError.invalid("revision", revision.asString(), "must be greater than or equal to 0"));
        }
        ObjectNode before = draft.before();
        if (before == null) {
            if (data.isMissingNode() || data.isNull()) {
                checks.add(FieldError.required("data", "data is mandatory"));
            } else if (!data.isObject()) {
                checks.add(FieldError.required("data", "data must be a valid JSON object"));
            }
        } else {
            checks.immutable(data, before.path("data"), "data");
        }
    }
}
