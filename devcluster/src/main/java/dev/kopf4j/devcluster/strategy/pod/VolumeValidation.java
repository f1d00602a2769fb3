package dev.kopf4j.devcluster.strategy.pod;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** Volumes of pods: {@code ValidateVolumes} in {@code pkg/apis/core/validation/validation.go}, v1.33. Pure. */
final class VolumeValidation {
    private VolumeValidation() {}

    /** Reports errors; returns the names of the volumes. */
    static Set<String> check(JsonNode volumes, String path, FieldChecks checks) {
        Set<String> names = new HashSet<>();
        int index = 0;
        for (JsonNode volume : volumes) {
            String where = path + "[" + index++ + "]";
            String name = Json.string(volume, "name");
            checks.label(volume, "name", where);
            if (!names.add(name)) {
                checks.add(FieldError.duplicate(where + ".name", FieldError.quote(name)));
            }
            source(volume, where, checks);
        }
        return names;
    }

    private static void source(JsonNode volume, String where, FieldChecks checks) {
        List<String> sources = volume.propertyNames().stream()
                .filter(name -> !name.equals("name"))
                .toList();
        for (String second : sources.subList(Math.min(1, sources.size()), sources.size())) {
            checks.add(FieldError.forbidden(where + "." + second, "may not specify more than 1 volume type"));
        }
        if (sources.isEmpty()) {
            return;
        }
        String source = sources.getFirst();
        String needed = switch (source) {
            case "secret" -> "secretName";
            case "configMap" -> "name";
            case "persistentVolumeClaim" -> "claimName";
            case "hostPath" -> "path";
            case "csi" -> "driver";
            default -> "";
        };
        if (!needed.isEmpty()) {
            checks.required(volume.path(source), needed, where + "." + source);
        }
    }
}
