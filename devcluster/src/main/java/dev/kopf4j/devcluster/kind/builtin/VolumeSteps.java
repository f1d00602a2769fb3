package dev.kopf4j.devcluster.kind.builtin;

import dev.kopf4j.devcluster.json.Equality;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.kind.Draft;
import dev.kopf4j.devcluster.kind.KindRules;
import dev.kopf4j.devcluster.status.Cause;
import dev.kopf4j.devcluster.type.Quantity;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Claims, volumes, and the classes of storage. */
final class VolumeSteps {
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

    private VolumeSteps() {}

    /** What is in use is not deleted: a finalizer holds it, see the admission plugin StorageObjectInUseProtection. */
    private static void protect(Draft draft, String finalizer) {
        if (!draft.isNew()) {
            return;
        }
        ArrayNode finalizers = Json.list(Json.child(draft.next(), "metadata"), "finalizers");
        if (finalizers.valueStream().noneMatch(each -> each.asString().equals(finalizer))) {
            finalizers.add(finalizer);
        }
    }

    /** Claims; a real server lets only bound ones grow, and nobody binds them here. */
    static KindRules claim(boolean unboundGrow) {
        return new SimpleStep(
                draft -> {
                    protect(draft, "kubernetes.io/pvc-protection");
                    if (draft.isNew()) {
                        draft.next().putObject("status").put("phase", "Pending");
                    }
                },
                (draft, checks) -> checkClaim(draft, unboundGrow, checks));
    }

    private static void checkClaim(Draft draft, boolean unboundGrow, Checks checks) {
        JsonNode spec = draft.next().path("spec");
        if (spec.path("accessModes").isEmpty()) {
            checks.add(Cause.required("spec.accessModes", "at least 1 access mode is required"));
        }
        modes(spec, checks);
        String storage = Json.string(spec, "resources", "requests", STORAGE);
        if (storage.isEmpty()) {
            checks.add(Cause.required("spec.resources[storage]", ""));
        } else if (Quantity.value(storage).signum() <= 0) {
            checks.add(Cause.invalidString("spec.resources[storage]", storage, "must be greater than zero"));
        }
        checks.oneOf(spec, "volumeMode", "spec", List.of("Block", "Filesystem"));
        ObjectNode before = draft.before();
        if (before != null && !draft.isStatus()) {
            changes(before, draft.next(), unboundGrow, checks);
        }
    }

    private static void changes(ObjectNode before, ObjectNode next, boolean unboundGrow, Checks checks) {
        if (!Equality.same(fixed(before, before, unboundGrow), fixed(next, before, unboundGrow))) {
            checks.add(Cause.forbidden(
                    "spec",
                    "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound"
                            + " claims"));
        }
        String former = Json.string(before, "spec", "resources", "requests", STORAGE);
        String wanted = Json.string(next, "spec", "resources", "requests", STORAGE);
        if (!former.isEmpty() && !wanted.isEmpty() && Quantity.value(wanted).compareTo(Quantity.value(former)) < 0) {
            checks.add(Cause.forbidden("spec.resources.requests.storage", "field can not be less than previous value"));
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

    private static void modes(JsonNode spec, Checks checks) {
        for (JsonNode mode : spec.path("accessModes")) {
            if (!MODES.contains(mode.asString())) {
                checks.add(Cause.notSupported("spec.accessModes", Cause.quote(mode.asString()), MODES));
            }
        }
    }

    static KindRules volume() {
        return new SimpleStep(
                draft -> {
                    protect(draft, "kubernetes.io/pv-protection");
                    if (draft.isNew()) {
                        ObjectNode status = draft.next().putObject("status").put("phase", "Pending");
                        String now = Json.string(draft.next(), "metadata", "creationTimestamp");
                        if (!now.isEmpty()) {
                            status.put("lastPhaseTransitionTime", now);
                        }
                    }
                },
                VolumeSteps::checkVolume);
    }

    private static void checkVolume(Draft draft, Checks checks) {
        JsonNode spec = draft.next().path("spec");
        for (String field : List.of("accessModes", "capacity")) {
            if (spec.path(field).isEmpty()) {
                checks.add(Cause.required("spec." + field, ""));
            }
        }
        modes(spec, checks);
        checks.oneOf(spec, "persistentVolumeReclaimPolicy", "spec", List.of("Delete", "Recycle", "Retain"));
        ObjectNode source = source(spec);
        if (source.isEmpty()) {
            checks.add(Cause.required("spec", "must specify a volume type"));
        }
        ObjectNode before = draft.before();
        if (before != null && !Equality.same(source, source(before.path("spec")))) {
            checks.add(Cause.forbidden(
                    "spec.persistentvolumesource", "spec.persistentvolumesource is immutable after creation"));
        }
    }

    private static ObjectNode source(JsonNode spec) {
        ObjectNode source = spec.isObject() ? ((ObjectNode) spec).deepCopy() : Json.object();
        return source.without(BESIDES_THE_SOURCE);
    }

    static KindRules storageClass() {
        return new SimpleStep(draft -> {}, (draft, checks) -> {
            JsonNode next = draft.next();
            if (Json.string(next, "provisioner").isEmpty()) {
                checks.add(Cause.required("provisioner", ""));
            }
            if (!List.of("Delete", "Retain").contains(Json.string(next, "reclaimPolicy"))) {
                checks.add(Cause.notSupported(
                        "reclaimPolicy", Cause.quote(Json.string(next, "reclaimPolicy")), List.of("Delete", "Retain")));
            }
            if (!List.of("Immediate", "WaitForFirstConsumer").contains(Json.string(next, "volumeBindingMode"))) {
                checks.add(Cause.notSupported(
                        "volumeBindingMode",
                        Cause.quote(Json.string(next, "volumeBindingMode")),
                        List.of("Immediate", "WaitForFirstConsumer")));
            }
            ObjectNode before = draft.before();
            if (before != null) {
                for (String field : List.of("parameters", "provisioner", "reclaimPolicy")) {
                    if (!Equality.same(before.path(field), next.path(field))) {
                        checks.add(Cause.forbidden(field, "updates to " + field + " are forbidden."));
                    }
                }
                checks.fixed(next.path("volumeBindingMode"), before.path("volumeBindingMode"), "volumeBindingMode");
            }
        });
    }
}
