package dev.kopf4j.devcluster.strategy.scheduling;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.json.JsonEquality;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Priority classes: {@code ValidatePriorityClass} and {@code ValidatePriorityClassUpdate} in
 * {@code pkg/apis/scheduling/validation/validation.go}, v1.33.
 */
final class PriorityClassStrategy implements ResourceStrategy {
    /** {@code HighestUserDefinablePriority} in {@code pkg/apis/scheduling/types.go}. */
    private static final long MAX_PRIORITY = 1_000_000_000;

    @Override
    public void validate(ObjectDraft draft, FieldChecks checks) {
        JsonNode next = draft.next();
        if (Json.string(next, "metadata", "name").startsWith("system-")) {
            checks.add(FieldError.forbidden(
                    "metadata.name", "priority class names with 'system-' prefix are reserved for system use only"));
        }
        if (next.path("value").longValue(0) > MAX_PRIORITY) {
            checks.add(FieldError.forbidden(
                    "value", "maximum allowed value of a user defined priority is " + MAX_PRIORITY));
        }
        ObjectNode before = draft.before();
        if (before == null) {
            return;
        }
        if (!JsonEquality.same(before.path("value"), next.path("value"))) {
            checks.add(FieldError.forbidden("value", "may not be changed in an update."));
        }
        checks.immutable(next.path("preemptionPolicy"), before.path("preemptionPolicy"), "preemptionPolicy");
    }
}
