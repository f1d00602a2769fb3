package dev.kopf4j.devcluster.strategy.core.volume;

import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Access modes of volumes and claims: {@code pkg/apis/core/validation/validation.go}, v1.33. Pure. */
final class AccessModeValidation {
    private static final List<String> MODES =
            List.of("ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod");

    private AccessModeValidation() {}

    static void check(JsonNode spec, FieldChecks checks) {
        for (JsonNode mode : spec.path("accessModes")) {
            if (!MODES.contains(mode.asString())) {
                checks.add(FieldError.notSupported("spec.accessModes", FieldError.quote(mode.asString()), MODES));
            }
        }
        List<String> known = spec.path("accessModes")
                .valueStream()
                .map(JsonNode::asString)
                .filter(MODES::contains)
                .toList();
        if (known.contains("ReadWriteOncePod") && known.stream().anyMatch(mode -> !mode.equals("ReadWriteOncePod"))) {
            checks.add(
                    FieldError.forbidden("spec.accessModes", "may not use ReadWriteOncePod with other access modes"));
        }
    }
}
