package dev.kopf4j.devcluster.strategy.pod;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * Containers that are added to a running pod: {@code validateEphemeralContainers} in
 * {@code pkg/apis/core/validation/validation.go}, v1.33. Pure.
 */
final class EphemeralContainerValidation {
    private static final String RULE = "cannot be set for an Ephemeral Container";
    private static final List<String> NOT_ALLOWED = List.of(
            "ports",
            "resources",
            "resizePolicy",
            "restartPolicy",
            "livenessProbe",
            "readinessProbe",
            "startupProbe",
            "lifecycle");

    private EphemeralContainerValidation() {}

    static void check(JsonNode spec, String path, FieldChecks checks) {
        List<String> others = Stream.of("containers", "initContainers")
                .flatMap(list -> spec.path(list).valueStream())
                .map(container -> Json.string(container, "name"))
                .toList();
        int index = 0;
        for (JsonNode container : spec.path("ephemeralContainers")) {
            String where = path + ".ephemeralContainers[" + index++ + "]";
            String target = Json.string(container, "targetContainerName");
            if (!target.isEmpty() && !others.contains(target)) {
                checks.add(FieldError.notFound(where + ".targetContainerName", FieldError.quote(target)));
            }
            container(container, where, checks);
        }
    }

    private static void container(JsonNode container, String path, FieldChecks checks) {
        for (String field : NOT_ALLOWED) {
            JsonNode value = container.path(field);
            if (value.isString() || !value.isEmpty()) {
                checks.add(FieldError.forbidden(path + "." + field, RULE));
            }
        }
        int index = 0;
        for (JsonNode mount : container.path("volumeMounts")) {
            String where = path + ".volumeMounts[" + index++ + "]";
            for (String field : List.of("subPath", "subPathExpr")) {
                if (!Json.string(mount, field).isEmpty()) {
                    checks.add(FieldError.forbidden(where + "." + field, RULE));
                }
            }
        }
    }
}
