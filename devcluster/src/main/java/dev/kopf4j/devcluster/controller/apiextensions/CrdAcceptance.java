package dev.kopf4j.devcluster.controller.apiextensions;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.meta.StatusConditions;
import dev.kopf4j.devcluster.webhook.CaBundle;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/**
 * The names and conditions of a definition: {@code calculateNamesAndConditions} in
 * {@code pkg/controller/status/naming_controller.go} of the apiextensions-apiserver, v1.33. Pure.
 */
final class CrdAcceptance {
    private static final String ESTABLISHED = "Established";

    private CrdAcceptance() {}

    /**
     * A definition with a new status.
     *
     * @param others the other definitions of its group
     */
    static ObjectNode accept(ObjectNode definition, List<ObjectNode> others, String now) {
        ObjectNode accepted = definition.deepCopy();
        ObjectNode status = Json.child(accepted, "status");
        CrdNameConflicts conflicts = new CrdNameConflicts(others);
        status.set(
                "acceptedNames", conflicts.accept(definition.path("spec").path("names"), status.path("acceptedNames")));
        boolean free = conflicts.reason().isEmpty();
        StatusConditions.set(
                status,
                "NamesAccepted",
                free,
                free ? "NoConflicts" : conflicts.reason(),
                free ? "no conflicts found" : conflicts.message(),
                now);
        if (free && !StatusConditions.isTrue(status, ESTABLISHED)) {
            establish(definition, status, now);
        } else if (!free && !StatusConditions.isTrue(status, ESTABLISHED)) {
            StatusConditions.set(status, ESTABLISHED, false, "NotAccepted", "not all names are accepted", now);
        }
        return accepted;
    }

    /** {@code sync} in {@code pkg/controller/establish/establishing_controller.go}. */
    private static void establish(ObjectNode definition, ObjectNode status, String now) {
        String bundle = Json.string(definition, "spec", "conversion", "webhook", "clientConfig", "caBundle");
        if (CaBundle.problem(bundle).isEmpty()) {
            StatusConditions.set(
                    status, ESTABLISHED, true, "InitialNamesAccepted", "the initial names have been accepted", now);
        } else {
            StatusConditions.set(
                    status, ESTABLISHED, false, "InvalidCABundle", "The conversion webhook CABundle is invalid", now);
        }
    }
}
