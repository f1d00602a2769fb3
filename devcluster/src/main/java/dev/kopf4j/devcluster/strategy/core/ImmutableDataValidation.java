package dev.kopf4j.devcluster.strategy.core;

import dev.kopf4j.devcluster.json.JsonEquality;
import dev.kopf4j.devcluster.status.FieldError;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** The {@code immutable} flag of config maps and secrets. */
final class ImmutableDataValidation {
    private static final String RULE = "field is immutable when `immutable` is set";

    private ImmutableDataValidation() {}

    static List<FieldError> check(@Nullable ObjectNode before, ObjectNode next, List<String> fields) {
        List<FieldError> causes = new ArrayList<>();
        if (before == null || !before.path("immutable").booleanValue(false)) {
            return causes;
        }
        if (!next.path("immutable").booleanValue(false)) {
            causes.add(FieldError.forbidden("immutable", RULE));
        }
        for (String field : fields) {
            if (!JsonEquality.same(before.path(field), next.path(field))) {
                causes.add(FieldError.forbidden(field, RULE));
            }
        }
        return causes;
    }
}
