package dev.kopf4j.devcluster.strategy.core;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.json.JsonEquality;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.FunctionStrategy;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import dev.kopf4j.devcluster.value.Quantity;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Claims, volumes, and the classes of storage. */
public final class VolumeStrategies {
    private static final List<String> MODES =
            List.of("ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod");
    private static final String STORAGE = "storage";
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

    private VolumeStrategies() {}

    /** What is in use is not deleted: a finalizer holds it, see the admission plugin StorageObjectInUseProtection. */
    private static void protect(ObjectDraft objectDraft, String finalizer) {
        if (!objectDraft.isNew()) {
            return;
        }
        ArrayNode finalizers = Json.list(Json.child(objectDraft.next(), "metadata"), "finalizers");
        if (finalizers.valueStream().noneMatch(each -> each.asString().equals(finalizer))) {
            finalizers.add(finalizer);
        }
    }

    /** Claims; a real server lets only bound ones grow, and nobody binds them here. */
    public static ResourceStrategy claim(boolean unboundGrow) {
        return new FunctionStrategy(
                objectDraft -> {
                    protect(objectDraft, "kubernetes.io/pvc-protection");
                    if (objectDraft.isNew()) {
                        objectDraft.next().putObject("status").put("phase", "Pending");
                    }
                },
                (objectDraft, fieldChecks) -> checkClaim(objectDraft, unboundGrow, fieldChecks));
    }

    private static void checkClaim(ObjectDraft objectDraft, boolean unboundGrow, FieldChecks fieldChecks) {
        JsonNode spec = objectDraft.next().path("spec");
        if (spec.path("accessModes").isEmpty()) {
            fieldChecks.add(FieldError.required("spec.accessModes", "at least 1 access mode is required"));
        }
        modes(spec, fieldChecks);
        String storage = Json.string(spec, "resources", "requests", STORAGE);
        if (storage.isEmpty()) {
            fieldChecks.add(FieldError.required("spec.resources[storage]", ""));
        } else if (Quantity.value(storage).signum() <= 0) {
            fieldChecks.add(FieldError.invalidString("spec.resources[storage]", storage, "must be greater than zero"));
        }
        fieldChecks.oneOf(spec, "volumeMode", "spec", List.of("Block", "Filesystem"));
        ObjectNode before = objectDraft.before();
        if (before != null && !objectDraft.isStatus()) {
            changes(before, objectDraft.next(), unboundGrow, fieldChecks);
        }
    }

    private static void changes(ObjectNode before, ObjectNode next, boolean unboundGrow, FieldChecks fieldChecks) {
        if (!JsonEquality.same(fixed(before, before, unboundGrow), fixed(next, before, unboundGrow))) {
            fieldChecks.add(FieldError.forbidden(
                    "spec",
                    "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound"
                            + " claims"));
        }
        String former = Json.string(before, "spec", "resources", "requests", STORAGE);
        String wanted = Json.string(next, "spec", "resources", "requests", STORAGE);
        if (!former.isEmpty() && !wanted.isEmpty() && Quantity.value(wanted).compareTo(Quantity.value(former)) < 0) {
            fieldChecks.add(FieldError.forbidden(
                    "spec.resources.requests.storage", "field can not be less than previous value"));
        }
    }

    /** What must not change: all but the amount of bound claims, and the volume and the class while there is none. */
    private static JsonNode fixed(JsonNode claim, JsonNode before, boolean unboundGrow) {
        ObjectNode spec = ((ObjectNode) claim.path("spec")).deepCopy();
        boolean bound = Json.string(before, "status", "phase").equals("Bound");
        if (bound || unboundGrow) {
            Json.child(Json.child(spec, "resources"), "requests").remove(STORAGE);
        }
        if (bound) {
            spec.remove("volumeAttributesClassName");
        }
        for (String once : List.of("volumeName", "storageClassName")) {
            if (!before.path("spec").has(once)) {
                spec.remove(List.of(once));
            }
        }
        return spec;
    }

    private static void modes(JsonNode spec, FieldChecks fieldChecks) {
        for (JsonNode mode : spec.path("accessModes")) {
            if (!MODES.contains(mode.asString())) {
                fieldChecks.add(FieldError.notSupported("spec.accessModes", FieldError.quote(mode.asString()), MODES));
            }
        }
    }

    public static ResourceStrategy volume() {
        return new FunctionStrategy(
                objectDraft -> {
                    protect(objectDraft, "kubernetes.io/pv-protection");
                    if (objectDraft.isNew()) {
                        ObjectNode status =
                                objectDraft.next().putObject("status").put("phase", "Pending");
                        String now = Json.string(objectDraft.next(), "metadata", "creationTimestamp");
                        if (!now.isEmpty()) {
                            status.put("lastPhaseTransitionTime", now);
                        }
                    }
                },
                VolumeStrategies::checkVolume);
    }

    private static void checkVolume(ObjectDraft objectDraft, FieldChecks fieldChecks) {
        JsonNode spec = objectDraft.next().path("spec");
        for (String field : List.of("accessModes", "capacity")) {
            if (spec.path(field).isEmpty()) {
                fieldChecks.add(FieldError.required("spec." + field, ""));
            }
        }
        modes(spec, fieldChecks);
        fieldChecks.oneOf(spec, "persistentVolumeReclaimPolicy", "spec", List.of("Delete", "Recycle", "Retain"));
        ObjectNode source = source(spec);
        if (source.isEmpty()) {
            fieldChecks.add(FieldError.required("spec", "must specify a volume type"));
        }
        ObjectNode before = objectDraft.before();
        if (before != null && !JsonEquality.same(source, source(before.path("spec")))) {
            fieldChecks.add(FieldError.forbidden(
                    "spec.persistentvolumesource", "spec.persistentvolumesource is immutable after creation"));
        }
    }

    private static ObjectNode source(JsonNode spec) {
        ObjectNode source = spec.isObject() ? ((ObjectNode) spec).deepCopy() : Json.object();
        return source.without(BESIDES_THE_SOURCE);
    }

    public static ResourceStrategy storageClass() {
        return new FunctionStrategy(objectDraft -> {}, (objectDraft, fieldChecks) -> {
            JsonNode next = objectDraft.next();
            if (Json.string(next, "provisioner").isEmpty()) {
                fieldChecks.add(FieldError.required("provisioner", ""));
            }
            if (!List.of("Delete", "Retain").contains(Json.string(next, "reclaimPolicy"))) {
                fieldChecks.add(FieldError.notSupported(
                        "reclaimPolicy",
                        FieldError.quote(Json.string(next, "reclaimPolicy")),
                        List.of("Delete", "Retain")));
            }
            if (!List.of("Immediate", "WaitForFirstConsumer").contains(Json.string(next, "volumeBindingMode"))) {
                fieldChecks.add(FieldError.notSupported(
                        "volumeBindingMode",
                        FieldError.quote(Json.string(next, "volumeBindingMode")),
                        List.of("Immediate", "WaitForFirstConsumer")));
            }
            ObjectNode before = objectDraft.before();
            if (before != null) {
                for (String field : List.of("parameters", "provisioner", "reclaimPolicy")) {
                    if (!JsonEquality.same(before.path(field), next.path(field))) {
                        fieldChecks.add(FieldError.forbidden(field, "updates to " + field + " are forbidden."));
                    }
                }
                fieldChecks.fixed(
                        next.path("volumeBindingMode"), before.path("volumeBindingMode"), "volumeBindingMode");
            }
        });
    }
}
