package dev.kopf4j.devcluster.kind.builtin;

import dev.kopf4j.devcluster.json.Equality;
import dev.kopf4j.devcluster.status.Cause;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** The {@code immutable} flag of config maps and secrets. */
final class Immutable {
    private static final String RULE = "field is immutable when `immutable` is set";

    private Immutable() {}

    static List<Cause> check(@Nullable ObjectNode before, ObjectNode next, List<String> fields) {
        List<Cause> causes = new ArrayList<>();
        if (before == null || !before.path("immutable").booleanValue(false)) {
            return causes;
        }
        if (!next.path("immutable").booleanValue(false)) {
            causes.add(Cause.forbidden("immutable", RULE));
        }
        for (String field : fields) {
            if (!Equality.same(before.path(field), next.path(field))) {
                causes.add(Cause.forbidden(field, RULE));
            }
        }
        return causes;
    }
}
