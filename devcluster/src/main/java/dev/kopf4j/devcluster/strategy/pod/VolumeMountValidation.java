package dev.kopf4j.devcluster.strategy.pod;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import java.util.HashSet;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * Mounts of containers: {@code ValidateVolumeMounts} in {@code pkg/apis/core/validation/validation.go}, v1.33. Pure.
 */
final class VolumeMountValidation {
    private VolumeMountValidation() {}

    static void check(JsonNode mounts, Set<String> volumes, String path, FieldChecks checks) {
        Set<String> mountPaths = new HashSet<>();
        int index = 0;
        for (JsonNode mount : mounts) {
            String where = path + "[" + index++ + "]";
            String name = Json.string(mount, "name");
            if (name.isEmpty()) {
                checks.add(FieldError.required(where + ".name", ""));
            } else if (!volumes.contains(name)) {
                checks.add(new FieldError(
                        FieldError.Type.NOT_FOUND, "Not found: " + FieldError.quote(name), where + ".name"));
            }
            checks.required(mount, "mountPath", where);
            String mountPath = Json.string(mount, "mountPath");
            if (!mountPaths.add(mountPath)) {
                checks.problem("must be unique", where + ".mountPath", mountPath);
            }
        }
    }
}
