package dev.kopf4j.devcluster.printing;

import static dev.kopf4j.devcluster.printing.TableCells.UNSET;
import static dev.kopf4j.devcluster.printing.TableCells.or;

import dev.kopf4j.devcluster.json.Json;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** Cells of volumes, claims and storage classes: {@code pkg/printers/internalversion/printers.go}, v1.33. Pure. */
final class VolumeCells {
    private static final List<String> MODES =
            List.of("ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod");
    private static final String DEFAULT_CLASS = "storageclass.kubernetes.io/is-default-class";
    private static final String OLD_CLASS = "volume.beta.kubernetes.io/storage-class";

    private VolumeCells() {}

    static Map<String, TableCells.Cell> all() {
        return Map.ofEntries(
                Map.entry("volumeStatus", TableCells.text(VolumeCells::status)),
                Map.entry(
                        "volumeModes",
                        TableCells.text(volume -> modes(volume.path("spec").path("accessModes")))),
                Map.entry("claimModes", TableCells.text(VolumeCells::claimModes)),
                Map.entry("claimCapacity", TableCells.text(VolumeCells::claimCapacity)),
                Map.entry("claim", TableCells.text(VolumeCells::claim)),
                Map.entry("storageClass", TableCells.text(VolumeCells::storageClass)),
                Map.entry(
                        "volumeMode", TableCells.text(object -> or(Json.string(object, "spec", "volumeMode"), UNSET))),
                Map.entry(
                        "attributesClass",
                        TableCells.text(object -> or(Json.string(object, "spec", "volumeAttributesClassName"), UNSET))),
                Map.entry("className", TableCells.text(VolumeCells::className)),
                Map.entry("expands", TableCells.bool(object -> flag(object, "allowVolumeExpansion"))),
                Map.entry(
                        "driverCount",
                        TableCells.number(
                                object -> object.path("spec").path("drivers").size())),
                Map.entry("attachRequired", TableCells.bool(object -> flag(object.path("spec"), "attachRequired"))),
                Map.entry("podInfoOnMount", TableCells.bool(object -> flag(object.path("spec"), "podInfoOnMount"))),
                Map.entry("storageCapacity", TableCells.bool(object -> flag(object.path("spec"), "storageCapacity"))),
                Map.entry(
                        "requiresRepublish", TableCells.bool(object -> flag(object.path("spec"), "requiresRepublish"))),
                Map.entry("tokenRequests", TableCells.text(VolumeCells::tokenRequests)),
                Map.entry("driverModes", TableCells.text(VolumeCells::driverModes)),
                Map.entry("attached", TableCells.bool(object -> flag(object.path("status"), "attached"))));
    }

    private static boolean flag(JsonNode object, String field) {
        return object.path(field).booleanValue(false);
    }

    private static String status(JsonNode object) {
        return TableCells.isBeingDeleted(object) ? "Terminating" : Json.string(object, "status", "phase");
    }

    private static String modes(JsonNode modes) {
        List<String> given = TableCells.each(modes).map(JsonNode::asString).toList();
        return MODES.stream()
                .filter(given::contains)
                .map(VolumeCells::shortMode)
                .collect(Collectors.joining(","));
    }

    private static String shortMode(String mode) {
        return mode.replaceAll("[a-z]", "").replace("ROM", "ROX").replace("RWM", "RWX");
    }

    /** The access modes of the claim's volume; empty before it is bound. */
    private static String claimModes(JsonNode claim) {
        return isBound(claim) ? modes(claim.path("status").path("accessModes")) : "";
    }

    private static String claimCapacity(JsonNode claim) {
        return isBound(claim) ? or(Json.string(claim, "status", "capacity", "storage"), "0") : "";
    }

    private static boolean isBound(JsonNode claim) {
        return !Json.string(claim, "spec", "volumeName").isEmpty();
    }

    private static String claim(JsonNode volume) {
        JsonNode claim = volume.path("spec").path("claimRef");
        return claim.isObject() ? Json.string(claim, "namespace") + "/" + Json.string(claim, "name") : "";
    }

    private static String storageClass(JsonNode object) {
        String old = Json.string(object, "metadata", "annotations", OLD_CLASS);
        return or(old, Json.string(object, "spec", "storageClassName"));
    }

    private static String className(JsonNode storageClass) {
        boolean usual = Json.string(storageClass, "metadata", "annotations", DEFAULT_CLASS)
                .equals("true");
        return Json.string(storageClass, "metadata", "name") + (usual ? " (default)" : "");
    }

    private static String tokenRequests(JsonNode driver) {
        return or(String.join(",", TableCells.strings(driver.path("spec").path("tokenRequests"), "audience")), UNSET);
    }

    private static String driverModes(JsonNode driver) {
        return or(TableCells.joined(driver.path("spec").path("volumeLifecycleModes")), TableCells.NONE);
    }
}
