package dev.kopf4j.devcluster.strategy.core;

import dev.kopf4j.devcluster.json.JsonEquality;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** Validates changes of config maps and secrets with the field {@code immutable} (KEP-1412). Pure. */
final class ImmutableDataValidation {
    private static final String RULE = "field is immutable when `immutable` is set";

    private ImmutableDataValidation() {}

    /** Refuses changes of fields, and of the flag itself, once the flag is set. */
    static void check(ObjectDraft draft, List<String> fields, FieldChecks checks) {
        ObjectNode before = draft.before();
        if (before == null || !isImmutable(before)) {
            return;
        }
        if (!isImmutable(draft.next())) {
            checks.add(FieldError.forbidden("immutable", RULE));
        }
        for (String field : fields) {
            if (!JsonEquality.same(before.path(field), draft.next().path(field))) {
                checks.add(FieldError.forbidden(field, RULE));
            }
        }
    }

    private static boolean isImmutable(ObjectNode object) {
        return object.path("immutable").booleanValue(false);
    }
}
