package dev.kopf4j.devcluster.strategy.core.volume;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.value.DnsNames;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.JsonNode;

/**
 * Where the data of a volume is: {@code ValidatePersistentVolumeSpec} in
 * {@code pkg/apis/core/validation/validation.go}, v1.33, for the sources that clusters have today. Pure.
 */
final class VolumeSourceValidation {
    private static final List<String> SOURCES = List.of("hostPath", "nfs", "iscsi", "fc", "local", "csi");

    private VolumeSourceValidation() {}

    static void check(JsonNode spec, FieldChecks checks) {
        JsonNode affinity = spec.path("nodeAffinity").path("required");
        if (affinity.isObject() && affinity.path("nodeSelectorTerms").isEmpty()) {
            String rule = "must have at least one node selector term";
            checks.add(FieldError.required("spec.nodeAffinity.required.nodeSelectorTerms", rule));
        }
        boolean found = false;
        for (String name : SOURCES) {
            if (spec.path(name).isObject() && found) {
                checks.add(FieldError.forbidden("spec." + name, "may not specify more than 1 volume type"));
            } else if (spec.path(name).isObject()) {
                found = true;
                source(spec, name, checks);
            }
        }
        boolean root = Json.string(spec, "hostPath", "path").matches("/+");
        if (root && Json.string(spec, "persistentVolumeReclaimPolicy").equals("Recycle")) {
            checks.add(FieldError.forbidden(
                    "spec.persistentVolumeReclaimPolicy", "may not be 'recycle' for a hostPath mount of '/'"));
        }
    }

    private static void source(JsonNode spec, String name, FieldChecks checks) {
        JsonNode source = spec.path(name);
        String path = "spec." + name;
        switch (name) {
            case "hostPath" -> folder(source, path, checks);
            case "local" -> {
                folder(source, path, checks);
                if (!spec.path("nodeAffinity").path("required").isObject()) {
                    checks.add(FieldError.required("spec.nodeAffinity", "Local volume requires node affinity"));
                }
            }
            case "nfs" -> {
                checks.required(source, "server", path);
                checks.required(source, "path", path);
                String shared = Json.string(source, "path");
                if (!shared.startsWith("/")) {
                    checks.add(FieldError.invalidString(path + ".path", shared, "must be an absolute path"));
                }
            }
            case "csi" -> csi(source, path, checks);
            default -> {} // checked by their types only
        }
    }

    private static void folder(JsonNode source, String path, FieldChecks checks) {
        checks.required(source, "path", path);
        String folder = Json.string(source, "path");
        if (List.of(folder.split("/", -1)).contains("..")) {
            checks.problem("must not contain '..'", path + ".path", folder);
        }
    }

    private static void csi(JsonNode source, String path, FieldChecks checks) {
        String driver = Json.string(source, "driver");
        if (driver.isEmpty()) {
            checks.add(FieldError.required(path + ".driver", ""));
        } else {
            checks.problem(DnsNames.subdomain(driver.toLowerCase(Locale.ROOT)), path + ".driver", driver);
        }
        checks.required(source, "volumeHandle", path);
    }
}
