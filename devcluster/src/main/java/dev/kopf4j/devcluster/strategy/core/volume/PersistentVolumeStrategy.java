package dev.kopf4j.devcluster.strategy.core.volume;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.json.JsonEquality;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import dev.kopf4j.devcluster.value.DnsNames;
import dev.kopf4j.devcluster.value.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Volumes: {@code pkg/registry/core/persistentvolume/strategy.go}; {@code ValidatePersistentVolume} and
 * {@code ValidatePersistentVolumeUpdate} in {@code pkg/apis/core/validation/validation.go}, v1.33.
 */
public final class PersistentVolumeStrategy implements ResourceStrategy {
    private static final List<String> SOURCES = List.of("hostPath", "nfs", "iscsi", "fc", "local", "csi");

    private static final Map<String, String> OLD_PLUGINS = Map.of(
            "cephfs", "deprecated in v1.28, non-functional in v1.31+",
            "rbd", "deprecated in v1.28, non-functional in v1.31+",
            "glusterfs", "deprecated in v1.25, non-functional in v1.26+",
            "scaleIO", "deprecated in v1.16, non-functional in v1.22+",
            "photonPersistentDisk", "deprecated in v1.11, non-functional in v1.16+");

    private static final Set<String> BESIDES_THE_SOURCE = Set.of(
            "capacity",
            "accessModes",
            "claimRef",
            "persistentVolumeReclaimPolicy",
            "storageClassName",
            "mountOptions",
            "volumeMode",
            "nodeAffinity",
            "volumeAttributesClassName");

    /** A strategy without options. */
    public PersistentVolumeStrategy() {}

    @Override
    public void prepare(ObjectDraft draft) {
        if (!draft.isNew()) {
            return;
        }
        StorageObjectInUseProtection.hold(draft.next(), "kubernetes.io/pv-protection");
        ObjectNode status = draft.next().putObject("status").put("phase", "Pending");
        String now = Json.string(draft.next(), "metadata", "creationTimestamp");
        if (!now.isEmpty()) {
            status.put("lastPhaseTransitionTime", now);
        }
    }

    /** {@code GetWarningsForPersistentVolume} in {@code pkg/api/persistentvolume/util.go}. */
    @Override
    public List<String> warnings(ObjectDraft draft) {
        JsonNode spec = draft.next().path("spec");
        List<String> warnings = new ArrayList<>();
        if (draft.isStatus()) {
            return warnings;
        }
        if (Json.string(spec, "persistentVolumeReclaimPolicy").equals("Recycle")) {
            warnings.add("spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the"
                    + " recommended approach is to use dynamic provisioning.");
        }
        OLD_PLUGINS.forEach((plugin, state) -> {
            if (spec.has(plugin)) {
                warnings.add("spec." + plugin + ": " + state);
            }
        });
        return warnings;
    }

    @Override
    public boolean checksUpdatesTwice() {
        return true;
    }

    @Override
    public void validate(ObjectDraft draft, FieldChecks checks) {
        JsonNode spec = draft.next().path("spec");
        for (String field : List.of("accessModes", "capacity")) {
            if (spec.path(field).isEmpty()) {
                checks.add(FieldError.required("spec." + field, ""));
            }
        }
        capacity(spec.path("capacity"), checks);
        AccessModeValidation.check(spec, checks);
        checks.oneOf(spec, "persistentVolumeReclaimPolicy", "spec", List.of("Delete", "Recycle", "Retain"));
        checks.oneOf(spec, "volumeMode", "spec", List.of("Block", "Filesystem"));
        String storageClass = Json.string(spec, "storageClassName");
        if (!storageClass.isEmpty()) {
            checks.problem(DnsNames.subdomain(storageClass), "spec.storageClassName", storageClass);
        }
        checkVolumeSource(spec, checks);
        ObjectNode source = source(spec);
        if (source.isEmpty()) {
            checks.add(FieldError.required("spec", "must specify a volume type"));
        }
        ObjectNode before = draft.before();
        if (before != null && !JsonEquality.same(source, source(before.path("spec")))) {
            checks.add(FieldError.forbidden(
                    "spec.persistentvolumesource", "spec.persistentvolumesource is immutable after creation"));
        }
        if (before != null) {
            checks.immutable(spec.path("volumeMode"), before.path("spec").path("volumeMode"), "volumeMode");
        }
    }

    private static void capacity(JsonNode capacity, FieldChecks checks) {
        if (capacity.size() != 1 || !capacity.has("storage")) {
            checks.add(FieldError.notSupported("spec.capacity", Json.text(capacity), List.of("storage")));
        }
        capacity.properties().forEach(entry -> {
            String path = "spec.capacity[" + entry.getKey() + "]";
            String amount = entry.getValue().asString();
            int sign = Quantity.value(amount).signum();
            if (sign < 0) {
                checks.add(FieldError.invalid(path, amount, "must be a valid resource quantity"));
            }
            if (sign <= 0) {
                checks.problem("must be greater than zero", path, amount);
            }
        });
    }

    private static ObjectNode source(JsonNode spec) {
        ObjectNode source = spec.isObject() ? ((ObjectNode) spec).deepCopy() : Json.object();
        return source.without(BESIDES_THE_SOURCE);
    }

    /**
     * Where the data of a volume is: {@code ValidatePersistentVolumeSpec} in
     * {@code pkg/apis/core/validation/validation.go}, v1.33, for the sources that clusters have today.
     */
    private static void checkVolumeSource(JsonNode spec, FieldChecks checks) {
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
                requireSource(spec, name, checks);
            }
        }
        boolean root = Json.string(spec, "hostPath", "path").matches("/+");
        if (root && Json.string(spec, "persistentVolumeReclaimPolicy").equals("Recycle")) {
            checks.add(FieldError.forbidden(
                    "spec.persistentVolumeReclaimPolicy", "may not be 'recycle' for a hostPath mount of '/'"));
        }
    }

    private static void requireSource(JsonNode spec, String name, FieldChecks checks) {
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
